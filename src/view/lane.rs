//! Arithmetic of a partition's lane: which stretch of the log is drawn, and where an offset lies in it.
//!
//! The right edge is the end of the log and stands still; the log moves to the left below it. So a
//! group that keeps up looks at rest, and lag is a length that grows to the left.

/// Thousandths of the lane's width.
pub type PerMille = i32;

/// The stretch of a log that a lane shows: `width` offsets that end at `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The offset at the right edge (exclusive): the log's end.
    pub end: i64,
    /// How many offsets fit into the lane.
    pub width: i64,
}

/// The widths a lane can have. Few, so that it seldom changes its scale.
const WIDTHS: [i64; 9] = [24, 48, 120, 240, 600, 1_200, 2_400, 6_000, 12_000];

/// Above this many offsets single records are too narrow to be drawn apart.
const CELLS_MAX: i64 = 60;

impl Window {
    /// The narrowest window that ends at `end` and shows everything from `oldest` on, with some air.
    /// `before`: the width shown so far; it is kept until it is too small, or four times too large.
    pub fn fit(end: i64, oldest: i64, before: Option<i64>) -> Window {
        let needed = end.saturating_sub(oldest).max(0);
        let roomy = needed.saturating_add(needed / 8);
        let fitting = WIDTHS
            .iter()
            .copied()
            .find(|width| *width >= roomy)
            .unwrap_or(roomy);
        let width = match before {
            Some(kept) if kept >= roomy && kept / 4 <= fitting => kept,
            _ => fitting,
        };
        Window { end, width }
    }

    /// Where `offset` begins, in thousandths from the left edge; clamped to the lane.
    pub fn place(self, offset: i64) -> PerMille {
        let from_right = self.end.saturating_sub(offset).clamp(0, self.width);
        let place = 1_000 - from_right.saturating_mul(1_000) / self.width.max(1);
        PerMille::try_from(place).unwrap_or(0)
    }

    /// Whether single records are wide enough to be told apart.
    pub fn shows_cells(self) -> bool {
        self.width <= CELLS_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_log_is_the_right_edge() {
        let window = Window::fit(100, 90, None);
        assert_eq!(window.width, 24);
        assert_eq!(window.place(100), 1_000);
        assert_eq!(window.place(88), 500);
        assert_eq!(window.place(0), 0);
    }

    #[test]
    fn a_lane_keeps_its_scale_until_it_is_far_too_wide() {
        assert_eq!(Window::fit(100, 60, Some(24)).width, 48);
        assert_eq!(Window::fit(100, 90, Some(48)).width, 48);
        assert_eq!(Window::fit(1_000, 990, Some(240)).width, 24);
    }

    #[test]
    fn an_empty_log_has_a_window() {
        let window = Window::fit(0, 0, None);
        assert_eq!(window.place(0), 1_000);
    }

    #[test]
    fn single_records_are_drawn_only_where_there_is_room() {
        assert!(Window { end: 9, width: 48 }.shows_cells());
        assert!(!Window { end: 9, width: 120 }.shows_cells());
    }
}
