//! Writes indented lines.

/// Lines of code with four spaces for each level.
#[derive(Default)]
pub(super) struct Writer {
    text: String,
    depth: usize,
}

impl Writer {
    /// A line; an empty one has no indent.
    pub fn line(&mut self, line: &str) {
        if !line.is_empty() {
            for _ in 0..self.depth {
                self.text.push_str("    ");
            }
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Lines at this level.
    pub fn lines(&mut self, lines: &[&str]) {
        for line in lines {
            self.line(line);
        }
    }

    /// A line after which one level deeper is written.
    pub fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// One level back, and a line.
    pub fn close(&mut self, line: &str) {
        self.back();
        self.line(line);
    }

    /// One level back, a line, and one level deeper again: `} catch (…) {`.
    pub fn turn(&mut self, line: &str) {
        self.back();
        self.open(line);
    }

    /// One level back.
    pub fn back(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    pub fn text(self) -> String {
        self.text
    }
}
