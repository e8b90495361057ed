//! The last so many of something. Copies share what is old.

use std::collections::VecDeque;
use std::rc::Rc;

/// Entries that are copied together when a copy of the list goes on differently.
const CHUNK: usize = 64;

/// A list that forgets its oldest entries beyond a limit, and says how many they were. A copy costs as
/// much as the list has chunks; appending to a copy, one chunk.
#[derive(Clone, Debug)]
pub struct Recent<T> {
    chunks: VecDeque<Rc<Vec<T>>>,
    limit: usize,
    dropped: u64,
}

impl<T: Clone> Recent<T> {
    /// An empty list that keeps at least `limit` entries, and at most a chunk more.
    pub fn new(limit: usize) -> Self {
        Self {
            chunks: VecDeque::new(),
            limit,
            dropped: 0,
        }
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: T) {
        match self.chunks.back_mut() {
            Some(chunk) if chunk.len() < CHUNK => Rc::make_mut(chunk).push(entry),
            _ => self.chunks.push_back(Rc::new(vec![entry])),
        }
        if self.len() >= self.limit.saturating_add(CHUNK)
            && let Some(oldest) = self.chunks.pop_front()
        {
            self.dropped += oldest.len() as u64;
        }
    }

    /// The newest entry.
    pub fn last(&self) -> Option<&T> {
        self.chunks.back()?.last()
    }

    /// The newest entry, to be changed.
    pub fn last_mut(&mut self) -> Option<&mut T> {
        Rc::make_mut(self.chunks.back_mut()?).last_mut()
    }

    /// Changes entries in place.
    pub fn for_each_mut(&mut self, mut change: impl FnMut(&mut T)) {
        for chunk in &mut self.chunks {
            Rc::make_mut(chunk).iter_mut().for_each(&mut change);
        }
    }

    /// The entries that are kept, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// How many are kept.
    pub fn len(&self) -> usize {
        match (self.chunks.len(), self.chunks.back()) {
            (chunks, Some(last)) => (chunks - 1) * CHUNK + last.len(),
            _ => 0,
        }
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// How many older ones were forgotten.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_keeps_the_newest_and_counts_the_rest() {
        let mut list = Recent::new(100);
        for number in 0..1_000_u64 {
            list.push(number);
        }
        let kept: Vec<u64> = list.iter().copied().collect();
        assert_eq!(kept.len(), list.len());
        assert!((100..100 + CHUNK).contains(&kept.len()));
        assert_eq!(kept[0], list.dropped());
        assert_eq!(list.last(), Some(&999));
    }

    #[test]
    fn a_copy_does_not_see_what_is_appended_afterwards() {
        let mut list = Recent::new(10);
        list.push(1);
        let copy = list.clone();
        list.push(2);
        *list.last_mut().expect("two entries") = 3;
        assert_eq!(copy.iter().copied().collect::<Vec<_>>(), [1]);
        assert_eq!(list.iter().copied().collect::<Vec<_>>(), [1, 3]);
    }
}
