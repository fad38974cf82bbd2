import Signals
import Testing

struct PercentageTests {
    @Test(arguments: [
        (0.0, "0 %"), (0.0004, "< 0.1 %"), (0.001, "0.1 %"), (0.29, "29 %"), (0.455, "45.5 %"), (0.38049, "38.0 %"),
        (0.9994, "> 99.9 %"), (0.9999999, "> 99.9 %"), (1, "100 %"), (-0.015, "-1.5 %"), (.nan, "n/a"),
    ])
    func aShareIsToldToATenthAndOnlyAllIsAHundred(share: Double, text: String) {
        #expect("\(Percentage(share))" == text)
    }

    @Test(arguments: [
        (0.7958, 0.8, "79.6 %"), (0.79996, 0.8, "79.9 %"), (0.29, 0.8, "29 %"), (0.9999, 1, "99.9 %"), (0, 0.5, "0 %"),
    ])
    func whatIsTooLittleNeverReadsAsEnough(share: Double, bound: Double, text: String) {
        #expect("\(Percentage(share, below: bound))" == text)
    }

    @Test(arguments: [(0, "0 epochs"), (1, "1 epoch"), (2, "2 epochs")])
    func oneOfAThingIsNotSeveral(count: Int, text: String) {
        #expect(count.counted("epoch") == text)
        #expect(count.counted("index", "indices").hasSuffix("index") == (count == 1))
    }
}
