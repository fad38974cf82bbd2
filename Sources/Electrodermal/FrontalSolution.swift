/// Solutions with a factored system: forward over the samples, back over the rest of the front and the samples again.
extension FrontalFactor {
    /// Solves for a right-hand side.
    func solve(_ right: DecompositionVariables) -> DecompositionVariables {
        var solution = right
        var held = Row.zero
        held[4] = right.trend.x
        held[5] = right.trend.y
        forward(&solution, &held)
        var values = backLast(held)
        solution.trend = SIMD2(values[4], values[5])
        back(&solution, &values)
        return solution
    }

    /// Leaves in `solution` the pivots' right-hand sides, in `held` those of the last front.
    private func forward(_ solution: inout DecompositionVariables, _ held: inout Row) {
        let (count, spline) = (problem.y.count, problem.spline)
        var (departing, arriving, k) = (0, 0, 0)
        while k < count {
            while departing < spline.count, spline.departure(of: departing) <= k {
                let value = held[departing & 3]
                held -= (value * inversesOfSplines[departing]) * rowsOfSplines[departing]
                held[departing & 3] = 0
                solution.spline[departing] = value
                departing += 1
            }
            while arriving < spline.count, spline.arrival(of: arriving) <= k {
                held[arriving & 3] += solution.spline[arriving]
                arriving += 1
            }
            let next = Swift.min(
                departing < spline.count ? spline.departure(of: departing) : .max,
                arriving < spline.count ? spline.arrival(of: arriving) : .max, count)
            forward(&solution.q, &held, over: k..<next)
            k = next
        }
    }

    private func forward(_ q: inout [Double], _ held: inout Row, over samples: Range<Int>) {
        var state = held
        var (older, newer) = (held[6], held[7])
        q.withUnsafeMutableBufferPointer { q in
            rowsOfQ.withUnsafeBufferPointer { rows in
                inversesOfQ.withUnsafeBufferPointer { inverses in
                    for k in samples {
                        guard k >= 2 else {
                            (older, newer) = (newer, q[k])
                            continue
                        }
                        let row = rows[k &- 2]
                        let value = older
                        let share = value * inverses[k &- 2]
                        state -= share * row
                        older = newer - share * row[6]
                        newer = q[k] - share * row[7]
                        q[k &- 2] = value
                    }
                }
            }
        }
        state[6] = older
        state[7] = newer
        held = state
    }

    private func backLast(_ right: Row) -> Row {
        var held = right
        for lane in 0..<8 {
            var row = last[lane]
            let inverse = row[lane]
            row[lane] = 0
            let value = held[lane]
            held -= (value * inverse) * row
            held[lane] = value
        }
        for lane in (0..<8).reversed() {
            var row = last[lane]
            let inverse = row[lane]
            row[lane] = 0
            held[lane] = (held[lane] - (row * held).laneSum) * inverse
        }
        return held
    }

    private func back(_ solution: inout DecompositionVariables, _ values: inout Row) {
        let (count, spline) = (problem.y.count, problem.spline)
        var departing = spline.count
        while departing > 0, spline.departure(of: departing - 1) > count - 1 {
            departing -= 1
            solution.spline[departing] = values[departing & 3]
        }
        (solution.q[count - 2], solution.q[count - 1]) = (values[6], values[7])
        var end = count
        while end > 0 {
            let first = departing > 0 ? spline.departure(of: departing - 1) : 0
            back(&solution.q, &values, over: first..<end)
            end = first
            while departing > 0, spline.departure(of: departing - 1) >= end {
                departing -= 1
                let lane = departing & 3
                values[lane] = 0
                let coupled = (rowsOfSplines[departing] * values).laneSum
                values[lane] = (solution.spline[departing] - coupled) * inversesOfSplines[departing]
                solution.spline[departing] = values[lane]
            }
        }
    }

    private func back(_ q: inout [Double], _ values: inout Row, over samples: Range<Int>) {
        var tonic = values
        var (older, newer) = (values[6], values[7])
        tonic[6] = 0
        tonic[7] = 0
        q.withUnsafeMutableBufferPointer { q in
            rowsOfQ.withUnsafeBufferPointer { rows in
                inversesOfQ.withUnsafeBufferPointer { inverses in
                    for k in samples.reversed() where k >= 2 {
                        let row = rows[k &- 2]
                        let free = q[k &- 2] - (row * tonic).laneSum
                        let value = (free - row[6] * older - row[7] * newer) * inverses[k &- 2]
                        q[k &- 2] = value
                        (older, newer) = (value, older)
                    }
                }
            }
        }
        values[6] = older
        values[7] = newer
    }
}

extension SIMD8<Double> {
    /// The sum of the lanes, by halves: three sums deep instead of eight.
    @inline(__always)
    fileprivate var laneSum: Double {
        let four = lowHalf + highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }
}
