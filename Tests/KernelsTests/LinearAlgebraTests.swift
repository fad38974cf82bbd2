import Foundation
import Kernels
import TestSupport
import Testing

private struct AlgebraOracle: Decodable {
    var rows, columns: Int
    var a, b, y, v, product, image, gram, symmetric, eigenvalues, solution, leastSquares, singular: [Double]
}

@Suite struct LinearAlgebraTests {
    @Test(.enabled(if: OracleData.has("kernels_linear_algebra.json")))
    func resultsAgreeWithNumpy() throws {
        let cases: [AlgebraOracle] = try oracle("kernels_linear_algebra.json")
        for entry in cases {
            let (m, n) = (entry.rows, entry.columns)
            let a = try Matrix(rows: m, columns: n, elements: entry.a)
            let b = try Matrix(rows: n, columns: 4, elements: entry.b)
            expectClose(try a.multiplied(by: b).elements, entry.product, 1e-13, "product")
            expectClose(try a.multiplied(by: entry.v), entry.image, 1e-13, "image")
            expectClose(try a.gram().elements, entry.gram, 1e-13, "gram")
            let symmetric = try Matrix(rows: n, columns: n, elements: entry.symmetric)
            expectClose(try symmetric.choleskySolve(entry.v), entry.solution, 1e-11, "Cholesky")
            expectClose(try symmetric.symmetricEigen().values, entry.eigenvalues, 1e-12, "eigenvalues")
            if m >= n { expectClose(try a.leastSquares(entry.y), entry.leastSquares, 1e-11, "least squares") }
            expectClose(try a.singularValues().values, entry.singular, 1e-12, "singular values")
        }
    }

    @Test(arguments: [(1, 1), (4, 4), (9, 3), (3, 9), (30, 20)])
    func decompositionsMultiplyBack(rows: Int, columns: Int) throws {
        let a = try Matrix(rows: rows, columns: columns, elements: noise(rows * columns))
        let (u, s, vt) = try a.singularValues()
        var scaled = vt
        for i in s.indices {
            for j in 0..<columns { scaled[i, j] *= s[i] }
        }
        expectClose(try u.multiplied(by: scaled).elements, a.elements, 1e-13, "singular values")
        let gram = try a.gram()
        let (values, vectors) = try gram.symmetricEigen()
        #expect(values == values.sorted())
        for k in 0..<columns {
            let vector = vectors.column(k)
            let scale = values[columns - 1] + 1
            let image = try gram.multiplied(by: vector)
            for i in 0..<columns { #expect(abs(image[i] - values[k] * vector[i]) < 1e-12 * scale) }
            #expect(abs(try LinearAlgebra.dot(vector, vector) - 1) < 1e-12)
        }
    }

    @Test(
        "what a shrunk covariance solves is what it came from, whether observations or variables are more",
        arguments: [(40, 5), (5, 40), (20, 20), (4, 7)])
    func shrunkCovariance(observations: Int, variables: Int) throws {
        let data = try Matrix(rows: observations, columns: variables, elements: noise(observations * variables))
        let covariance = try ShrunkCovariance(data)
        #expect(covariance.shrinkage > 0 && covariance.shrinkage <= 1)
        let right = try Matrix(rows: variables, columns: 3, elements: noise(variables * 3))
        let matrix = try covariance.matrix
        expectClose(try matrix.multiplied(by: covariance.solve(right)).elements, right.elements, 1e-11, "solution")
        // Shrinking leaves the sum of the variances.
        let sample = try Covariance.sample(data, ddof: 0)
        let traces = [matrix, sample].map { matrix in (0..<variables).reduce(0) { $0 + matrix[$1, $1] } }
        expectClose([traces[0]], [traces[1]], 1e-13, "trace")
        #expect(throws: LinearAlgebraError.self) { try covariance.solve([Double](repeating: 1, count: variables + 1)) }
    }

    @Test(arguments: [(1, 0.5), (4, 0), (32, 0.3), (32, 0.9), (200, 0.5)])
    func theLargestEigenpairIsThatOfAllOfThem(size: Int, next: Double) throws {
        // Eigenvalues 1, `next`, and ever smaller ones, along directions of a random matrix.
        let (directions, _, _) = try Matrix(rows: size, columns: size, elements: noise(size * size)).singularValues()
        var scaled = directions
        for row in 0..<size {
            for column in 1..<max(1, size) { scaled[row, column] *= next * pow(0.8, Double(column - 1)) }
        }
        let matrix = try scaled.multiplied(by: directions.transposed)
        let (value, vector) = try #require(try matrix.dominantEigenpair())
        #expect(abs(value - 1) < 1e-13)
        let along = abs(try LinearAlgebra.dot(vector, directions.column(0)))
        #expect(abs(along - 1) < 1e-13)
    }

    @Test func whereNoDirectionStandsOutThereIsNoLargestEigenpair() throws {
        #expect(try Matrix.identity(5).dominantEigenpair() == nil)
        #expect(try Matrix(rows: 3, columns: 3).dominantEigenpair() == nil)
        #expect(try Matrix([[2, 0, 0], [0, 1.99, 0], [0, 0, 1]]).dominantEigenpair() == nil)
        #expect(try Matrix([[1, .nan], [.nan, 1]]).dominantEigenpair() == nil)
    }

    @Test(arguments: [(3, 9), (9, 3), (1, 1), (30, 20)])
    func productsOfRowsAreThoseOfTheTransposedColumns(rows: Int, columns: Int) throws {
        let a = try Matrix(rows: rows, columns: columns, elements: noise(rows * columns))
        expectClose(try a.rowGram().elements, try a.transposed.gram().elements, 1e-13)
    }

    @Test func definitenessIsThatOfTheEigenvalues() throws {
        #expect(try Matrix([[2, 1.9], [1.9, 2]]).isPositiveDefinite)
        #expect(try !Matrix([[2, 2.1], [2.1, 2]]).isPositiveDefinite)
        #expect(try !Matrix([[1, 0, 0], [0, 2, 0], [0, 0, -1]]).isPositiveDefinite)
        #expect(try !Matrix([[1, .nan], [.nan, 1]]).isPositiveDefinite)
        #expect(try !Matrix([[1, 2, 3]]).isPositiveDefinite)
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let a = try Matrix([[1, 2], [3, 4], [5, 6]])
        #expect(throws: LinearAlgebraError.self) { try a.multiplied(by: a) }
        #expect(throws: LinearAlgebraError.self) { try a.multiplied(by: [1, 2, 3]) }
        #expect(throws: LinearAlgebraError.self) { try a.symmetricEigen() }
        #expect(throws: LinearAlgebraError.self) { try a.choleskySolve([1, 2, 3]) }
        #expect(throws: LinearAlgebraError.self) { try a.leastSquares([1, 2]) }
        #expect(throws: LinearAlgebraError.self) { try a.transposed.leastSquares([1, 2]) }
        #expect(throws: LinearAlgebraError.self) { try Matrix(rows: 2, columns: 2, elements: [1, 2, 3]) }
        #expect(throws: LinearAlgebraError.self) { try Matrix([[1, 2], [3]]) }
        #expect(throws: LinearAlgebraError.self) { try LinearAlgebra.dot([1], [1, 2]) }
    }

    @Test func whatCannotBeSolvedSaysWhy() throws {
        let indefinite = try Matrix([[1, 0, 0], [0, 2, 0], [0, 0, -1]])
        #expect(throws: LinearAlgebraError.notPositiveDefinite(leading: 2)) { try indefinite.choleskySolve([1, 1, 1]) }
        let dependent = try Matrix([[1, 0], [0, 0], [0, 0]])
        #expect(throws: LinearAlgebraError.rankDeficient(column: 1)) { try dependent.leastSquares([1, 2, 3]) }
        let missing = try Matrix([[1, .nan], [.nan, 1]])
        #expect(throws: LinearAlgebraError.self) { try missing.symmetricEigen() }
        #expect(throws: LinearAlgebraError.self) { try missing.singularValues() }
        #expect(throws: LinearAlgebraError.self) { try missing.choleskySolve([1, 1]) }
        #expect(throws: LinearAlgebraError.self) { try missing.leastSquares([1, 1]) }
    }

    @Test func nothingGivesNothing() throws {
        let empty = Matrix(rows: 0, columns: 0)
        #expect(try empty.multiplied(by: empty) == empty)
        #expect(try empty.symmetricEigen().values == [])
        #expect(try empty.singularValues().values == [])
        #expect(try empty.choleskySolve([]) == [])
        #expect(try Matrix(rows: 0, columns: 3).gram() == Matrix(rows: 3, columns: 3))
        #expect(Matrix.identity(2).transposed == Matrix.identity(2))
    }
}
