"""What simulated devices measured, beside what a recording holds."""
import numpy as np

# Beats that are an interval apart to within so many seconds count as successive, as in Marey.
JOINED = 0.0055


def read(path):
    """Truth by stream name (`device-stream`): times in seconds since 1970, and the values, one row per frame."""
    streams = {}
    with open(path) as lines:
        next(lines)
        for line in lines:
            device, stream, index, time, values = line.rstrip("\n").split("\t")
            rows = streams.setdefault(f"{device}-{stream}", ([], []))
            rows[0].append(float(time))
            rows[1].append(values)
    return {name: (np.array(times), np.array([[np.float32(v) for v in row.split(",")] for row in values], np.float32))
            for name, (times, values) in streams.items()}


class Match:
    """The frames of a recorded stream, each found among those that were measured.

    Frames that follow each other at the stream's interval are a run, which is found as a whole: where all its values are
    the same as measured (NaN, for a channel that was lost, is like any), nearest in time, at most `reach` seconds away.
    Rows of irregular streams are found one by one, or, where they have no time of their own (`untimed`: intervals
    between beats), by what follows what: beats that are one interval apart are a run, and each run is looked for as a
    whole, in order, wherever within reach. Of one that is nowhere as a whole, as many as can be found in order are."""

    def __init__(self, truth, times, values, reach, interval=None, untimed=False):
        self.truth_times, self.truth_values = truth
        self.times = times
        self.values = values[:, :self.truth_values.shape[1]].astype(np.float32)
        self.filled = np.isnan(self.values).all(axis=1)
        self.index = np.full(len(times), -1)
        rows = np.flatnonzero(~self.filled)
        if untimed:
            return self._follow(rows, reach)
        breaks = np.diff(rows) > 1
        if interval:
            breaks |= np.diff(times[rows]) > 1.5 * interval
        else:
            breaks[:] = True
        for run in np.split(rows, np.flatnonzero(breaks) + 1):
            if len(run):
                self._place(run, reach)

    def _place(self, run, reach):
        start = self.times[run[0]]
        low, high = np.searchsorted(self.truth_times, [start - reach, start + reach])
        places = np.arange(low, min(high, len(self.truth_times) - len(run) + 1))
        for place in places[np.argsort(np.abs(self.truth_times[places] - start))]:
            recorded, measured = self.values[run], self.truth_values[place:place + len(run)]
            if ((recorded == measured) | np.isnan(recorded)).all():
                self.index[run] = place + np.arange(len(run))
                return

    def _follow(self, rows, reach):
        apart = np.abs(np.diff(self.times[rows]) - self.values[rows[1:], 0])
        end = 0
        for run in np.split(rows, np.flatnonzero(apart > JOINED) + 1):
            start = max(end, np.searchsorted(self.truth_times, self.times[run[0]] - reach))
            last = min(np.searchsorted(self.truth_times, self.times[run[-1]] + reach), len(self.truth_times))
            places = (place for place in range(start, last - len(run) + 1)
                      if (self.values[run] == self.truth_values[place:place + len(run)]).all())
            place = next(places, None)
            if place is None:
                self._align(run, reach, end)
            else:
                self.index[run] = place + np.arange(len(run))
            end = max(end, self.index[run].max() + 1)

    def _align(self, rows, reach, start):
        """The longest common subsequence of what was recorded and what was measured from `start` on, within reach of
        each other."""
        same = (self.values[rows][:, None] == self.truth_values[None]).all(axis=2)
        same &= np.abs(self.times[rows][:, None] - self.truth_times[None]) <= reach
        same[:, :start] = False
        length = np.zeros((same.shape[0] + 1, same.shape[1] + 1), int)
        for i in range(same.shape[0] - 1, -1, -1):
            for j in range(same.shape[1] - 1, -1, -1):
                length[i, j] = length[i + 1, j + 1] + 1 if same[i, j] else max(length[i + 1, j], length[i, j + 1])
        i = j = 0
        while i < same.shape[0] and j < same.shape[1]:
            if same[i, j] and length[i, j] == length[i + 1, j + 1] + 1:
                self.index[rows[i]] = j
                i, j = i + 1, j + 1
            elif length[i + 1, j] >= length[i, j + 1]:
                i += 1
            else:
                j += 1

    @property
    def rows(self):
        """Which recorded frames were found."""
        return np.flatnonzero(self.index >= 0)

    @property
    def unknown(self):
        """Recorded frames that nobody measured."""
        return int(((self.index < 0) & ~self.filled).sum())

    @property
    def disordered(self):
        """Frames that come twice, or before one that was measured earlier."""
        return int((np.diff(self.index[self.rows]) <= 0).sum())

    @property
    def errors(self):
        """Recorded less true time of each frame found, in seconds."""
        return self.times[self.rows] - self.truth_times[self.index[self.rows]]

    @property
    def measured(self):
        """How many frames were measured from the first to the last found."""
        found = self.index[self.rows]
        return int(found[-1] - found[0] + 1) if len(found) else 0

    def missing(self):
        """For each pair of successive frames found with some missing between: their rows, and how many are missing."""
        found = self.index[self.rows]
        steps = np.flatnonzero(np.diff(found) > 1)
        return self.rows[steps], self.rows[steps + 1], found[steps + 1] - found[steps] - 1

    def untold(self, intervals):
        """Missing beats between two whose times differ by just the later one's interval, as if none were missing. How
        many are missing elsewhere is not known: intervals without times leave the length of a gap open."""
        before, after, count = self.missing()
        distance = self.times[after] - self.times[before]
        return int(count[np.abs(distance - intervals[after]) <= JOINED].sum())

    def unmarked(self, expected):
        """Missing frames for which the recording leaves no room: neither frames of NaN nor time that passes between two
        frames beyond the `expected` interval (a number, or one per row: the interval before it)."""
        before, after, count = self.missing()
        wide = np.broadcast_to(expected, self.times.shape)[after]
        room = np.round((self.times[after] - self.times[before]) / wide).astype(int) - 1
        return int(np.maximum(count - np.maximum(room, 0), 0).sum())
