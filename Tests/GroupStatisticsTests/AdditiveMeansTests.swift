import GroupStatistics
import Testing

@Suite struct AdditiveMeansTests {
    @Test func meansOfWholeTablesArePlainMeans() {
        #expect(AdditiveMeans.ofRows([[1, 3], [10, 20], [7, 7]]) == [2, 15, 7])
        #expect(AdditiveMeans.ofRows([[4], [5]]) == [4, 5])
        #expect(AdditiveMeans.ofRows([]) == [])
    }

    @Test func whatColumnsDifferByIsTakenOutOfRowsThatLackSome() {
        // The second column is 10 above the first in everybody, so who lacks it loses nothing.
        let found = AdditiveMeans.ofRows([[60, 70], [62, 72], [64, nil], [nil, 80], [nil, nil]])
        let expected: [Double?] = [65, 67, 69, 75, nil]
        for (found, expected) in zip(found, expected) {
            guard let expected else {
                #expect(found == nil)
                continue
            }
            #expect(abs((found ?? .nan) - expected) < 1e-9)
        }
    }

    @Test func rowsThatNoColumnLinksAreNotComparedWithOneAnother() {
        #expect(AdditiveMeans.ofRows([[1, 3, nil], [2, 4, nil], [nil, nil, 9]]) == [2, 3, nil])
    }
}
