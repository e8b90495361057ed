//! Ordered maps and sets for few entries: sorted vectors.
//!
//! They behave like `BTreeMap` and `BTreeSet`, and iterate in the same order. A look-up costs the same, an
//! insertion in the middle moves what follows. Each of the many types that are kept in them adds a small
//! part of the code that a tree's nodes take, and a browser loads all of it. Where thousands of entries come
//! and go in any order (the world's queue), a tree is right.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::fmt;
use std::iter::FusedIterator;
use std::ops::{Bound, Index, RangeBounds};
use std::slice;
use std::vec;

/// A map, ordered by key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortedMap<K, V> {
    entries: Vec<(K, V)>,
}

impl<K, V> SortedMap<K, V> {
    /// An empty map.
    pub const fn new() -> Self {
        Self {
            entries: Vec::new(),
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Takes all entries away.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// The entries in the order of their keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.entries.iter())
    }

    /// The entries in the order of their keys, their values to be changed.
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut(self.entries.iter_mut())
    }

    /// The keys in their order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator + Clone {
        self.entries.iter().map(|entry| &entry.0)
    }

    /// The values in the order of their keys.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator + Clone {
        self.entries.iter().map(|entry| &entry.1)
    }

    /// The values in the order of their keys, to be changed.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.entries.iter_mut().map(|entry| &mut entry.1)
    }

    /// The keys in their order, taken out of the map.
    pub fn into_keys(self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator {
        self.entries.into_iter().map(|entry| entry.0)
    }

    /// The values in the order of their keys, taken out of the map.
    pub fn into_values(self) -> impl DoubleEndedIterator<Item = V> + ExactSizeIterator {
        self.entries.into_iter().map(|entry| entry.1)
    }

    /// The entry with the smallest key.
    pub fn first_key_value(&self) -> Option<(&K, &V)> {
        self.entries.first().map(|entry| (&entry.0, &entry.1))
    }

    /// The entry with the largest key.
    pub fn last_key_value(&self) -> Option<(&K, &V)> {
        self.entries.last().map(|entry| (&entry.0, &entry.1))
    }

    /// Takes out the entry with the smallest key.
    pub fn pop_first(&mut self) -> Option<(K, V)> {
        match self.entries.is_empty() {
            true => None,
            false => Some(self.entries.remove(0)),
        }
    }

    /// Takes out the entry with the largest key.
    pub fn pop_last(&mut self) -> Option<(K, V)> {
        self.entries.pop()
    }

    /// Keeps the entries that fit.
    pub fn retain(&mut self, mut fits: impl FnMut(&K, &mut V) -> bool) {
        self.entries
            .retain_mut(|entry| fits(&entry.0, &mut entry.1));
    }
}

impl<K: Ord, V> SortedMap<K, V> {
    /// Where the key is, or would be.
    fn place<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.entries
            .binary_search_by(|entry| entry.0.borrow().cmp(key))
    }

    /// The value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.entries.get(place).map(|entry| &entry.1)
    }

    /// A key as it stands in the map, and its value.
    pub fn get_key_value<Q: Ord + ?Sized>(&self, key: &Q) -> Option<(&K, &V)>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.entries.get(place).map(|entry| (&entry.0, &entry.1))
    }

    /// The value of a key, to be changed.
    pub fn get_mut<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        self.entries.get_mut(place).map(|entry| &mut entry.1)
    }

    /// Whether the key is there.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.place(key).is_ok()
    }

    /// Sets the value of a key and gives back what it was before.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.place(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.entries[place].1, value)),
            Err(place) => {
                self.entries.insert(place, (key, value));
                None
            }
        }
    }

    /// Takes a key out and gives back its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let place = self.place(key).ok()?;
        Some(self.entries.remove(place).1)
    }

    /// The place of a key, to be filled if it is not there.
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        let place = self.place(&key);
        let entries = &mut self.entries;
        Entry {
            entries,
            place,
            key,
        }
    }

    /// The entries whose keys lie in a range.
    pub fn range<Q: Ord + ?Sized>(&self, keys: impl RangeBounds<Q>) -> Iter<'_, K, V>
    where
        K: Borrow<Q>,
    {
        let (from, until) = bounds(&self.entries, &keys, |entry| entry.0.borrow());
        Iter(self.entries[from..until].iter())
    }

    /// Cuts off and gives back the entries from a key on.
    pub fn split_off<Q: Ord + ?Sized>(&mut self, key: &Q) -> Self
    where
        K: Borrow<Q>,
    {
        let (Ok(place) | Err(place)) = self.place(key);
        let entries = self.entries.split_off(place);
        Self { entries }
    }
}

/// The first place inside of the bounds, and the first one behind.
fn bounds<T, Q: Ord + ?Sized>(
    entries: &[T],
    keys: &impl RangeBounds<Q>,
    key: impl Fn(&T) -> &Q,
) -> (usize, usize) {
    let from = entries.partition_point(|entry| match keys.start_bound() {
        Bound::Included(least) => key(entry) < least,
        Bound::Excluded(below) => key(entry) <= below,
        Bound::Unbounded => false,
    });
    let until = entries.partition_point(|entry| match keys.end_bound() {
        Bound::Included(most) => key(entry) <= most,
        Bound::Excluded(above) => key(entry) < above,
        Bound::Unbounded => true,
    });
    (from, until.max(from))
}

/// The place of a key in a map.
pub struct Entry<'a, K, V> {
    entries: &'a mut Vec<(K, V)>,
    place: Result<usize, usize>,
    key: K,
}

impl<'a, K, V> Entry<'a, K, V> {
    /// The value, made if it is not there.
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        let place = match self.place {
            Ok(place) => place,
            Err(place) => {
                self.entries.insert(place, (self.key, make()));
                place
            }
        };
        &mut self.entries[place].1
    }

    /// The value; if it is not there, this one.
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value; if it is not there, its type's default.
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<K, V> Default for SortedMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SortedMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Ord + Borrow<Q>, Q: Ord + ?Sized, V> Index<&Q> for SortedMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("the key is in the map")
    }
}

impl<K: Ord, V> Extend<(K, V)> for SortedMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SortedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut entries: Vec<(K, V)> = entries.into_iter().collect();
        if !entries.is_sorted_by(|left, right| left.0 < right.0) {
            sort_by(&mut entries, |left, right| left.0.cmp(&right.0));
            // Of equal keys the last one counts.
            entries.dedup_by(|later, kept| {
                let is_equal = later.0 == kept.0;
                if is_equal {
                    std::mem::swap(later, kept);
                }
                is_equal
            });
        }
        Self { entries }
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SortedMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

/// The entries of a map.
pub struct Iter<'a, K, V>(slice::Iter<'a, (K, V)>);

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// The entries of a map, their values to be changed.
pub struct IterMut<'a, K, V>(slice::IterMut<'a, (K, V)>);

macro_rules! iterate {
    ($iter:ident, $value:ty, $entry:ident => $item:expr) => {
        impl<'a, K, V> Iterator for $iter<'a, K, V> {
            type Item = (&'a K, $value);

            fn next(&mut self) -> Option<Self::Item> {
                self.0.next().map(|$entry| $item)
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }
        }

        impl<K, V> DoubleEndedIterator for $iter<'_, K, V> {
            fn next_back(&mut self) -> Option<Self::Item> {
                self.0.next_back().map(|$entry| $item)
            }
        }

        impl<K, V> ExactSizeIterator for $iter<'_, K, V> {}

        impl<K, V> FusedIterator for $iter<'_, K, V> {}
    };
}

iterate! { Iter, &'a V, entry => (&entry.0, &entry.1) }
iterate! { IterMut, &'a mut V, entry => (&entry.0, &mut entry.1) }

impl<'a, K, V> IntoIterator for &'a SortedMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut SortedMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<K, V> IntoIterator for SortedMap<K, V> {
    type Item = (K, V);
    type IntoIter = vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

/// A set, ordered.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortedSet<T> {
    members: Vec<T>,
}

impl<T> SortedSet<T> {
    /// An empty set.
    pub const fn new() -> Self {
        Self {
            members: Vec::new(),
        }
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Takes all members away.
    pub fn clear(&mut self) {
        self.members.clear();
    }

    /// The members in their order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.members.iter()
    }

    /// The smallest member.
    pub fn first(&self) -> Option<&T> {
        self.members.first()
    }

    /// The largest member.
    pub fn last(&self) -> Option<&T> {
        self.members.last()
    }

    /// Takes out the smallest member.
    pub fn pop_first(&mut self) -> Option<T> {
        match self.members.is_empty() {
            true => None,
            false => Some(self.members.remove(0)),
        }
    }

    /// Keeps the members that fit.
    pub fn retain(&mut self, fits: impl FnMut(&T) -> bool) {
        self.members.retain(fits);
    }
}

impl<T: Ord> SortedSet<T> {
    fn place<Q: Ord + ?Sized>(&self, member: &Q) -> Result<usize, usize>
    where
        T: Borrow<Q>,
    {
        self.members
            .binary_search_by(|one| one.borrow().cmp(member))
    }

    /// Whether it is a member.
    pub fn contains<Q: Ord + ?Sized>(&self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.place(member).is_ok()
    }

    /// Adds a member. Whether it was none before.
    pub fn insert(&mut self, member: T) -> bool {
        match self.place(&member) {
            Ok(_) => false,
            Err(place) => {
                self.members.insert(place, member);
                true
            }
        }
    }

    /// Takes a member out. Whether it was one.
    pub fn remove<Q: Ord + ?Sized>(&mut self, member: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        let place = self.place(member);
        if let Ok(place) = place {
            self.members.remove(place);
        }
        place.is_ok()
    }

    /// The members in a range.
    pub fn range<Q: Ord + ?Sized>(&self, members: impl RangeBounds<Q>) -> slice::Iter<'_, T>
    where
        T: Borrow<Q>,
    {
        let (from, until) = bounds(&self.members, &members, |one| one.borrow());
        self.members[from..until].iter()
    }

    /// Whether all members are members of another set, too.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|member| other.contains(member))
    }

    /// The members that are none of another set.
    pub fn difference<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> + Clone {
        self.iter().filter(|member| !other.contains(*member))
    }

    /// The members that are members of another set, too.
    pub fn intersection<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = &'a T> + Clone {
        self.iter().filter(|member| other.contains(*member))
    }
}

impl<T> Default for SortedSet<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for SortedSet<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<T: Ord> Extend<T> for SortedSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, members: I) {
        for member in members {
            self.insert(member);
        }
    }
}

impl<T: Ord> FromIterator<T> for SortedSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(members: I) -> Self {
        let mut set = Self::new();
        set.extend(members);
        set
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for SortedSet<T> {
    fn from(members: [T; N]) -> Self {
        members.into_iter().collect()
    }
}

impl<'a, T> IntoIterator for &'a SortedSet<T> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T> IntoIterator for SortedSet<T> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

/// Sorts numbers of things, in an order of the things: what is equal stays in its order. One function for
/// all orders, where `sort_by` is compiled anew for each.
pub fn sort_places(places: &mut [usize], order: &dyn Fn(usize, usize) -> Ordering) {
    places.sort_by(|left, right| order(*left, *right));
}

/// Sorts items, by [`sort_places`]: what is equal stays in its order.
pub fn sort_by<T>(items: &mut [T], order: impl Fn(&T, &T) -> Ordering) {
    let mut places: Vec<usize> = (0..items.len()).collect();
    sort_places(&mut places, &|left, right| {
        order(&items[left], &items[right])
    });
    // Each round of exchanges begins where an item is not yet in its place.
    for start in 0..places.len() {
        let mut place = start;
        while places[place] != start {
            let next = places[place];
            items.swap(place, next);
            places[place] = place;
            place = next;
        }
        places[place] = place;
    }
}

/// Sorts few items, or many that are nearly in order, by insertion: what is equal stays in its order. A
/// small part of the code of `sort_by`.
pub fn sort_few<T>(items: &mut [T], mut is_before: impl FnMut(&T, &T) -> bool) {
    for end in 1..items.len() {
        let mut place = end;
        while place > 0 && is_before(&items[place], &items[place - 1]) {
            items.swap(place, place - 1);
            place -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// Small numbers in a fixed wild order.
    fn wild() -> impl Iterator<Item = (usize, u8)> {
        (0..2_000_usize).scan(7_u32, |state, step| {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [.., number, _] = state.to_le_bytes();
            Some((step, number % 50))
        })
    }

    #[test]
    fn a_map_does_what_a_tree_does() {
        let (mut map, mut tree) = (SortedMap::new(), BTreeMap::new());
        for (step, key) in wild() {
            match step % 8 {
                0..3 => assert_eq!(map.insert(key, step), tree.insert(key, step)),
                3..5 => assert_eq!(map.remove(&key), tree.remove(&key)),
                5 => {
                    *map.entry(key).or_default() += step;
                    *tree.entry(key).or_default() += step;
                }
                6 => assert_eq!(map.get(&key), tree.get(&key)),
                _ => {
                    assert!(map.range(key..).eq(tree.range(key..)));
                    assert!(map.range(..=key).rev().eq(tree.range(..=key).rev()));
                }
            }
            assert!(map.iter().eq(tree.iter()));
            assert_eq!(map.first_key_value(), tree.first_key_value());
            assert_eq!(map.last_key_value(), tree.last_key_value());
            if step % 40 == 39 {
                assert_eq!(map.pop_first(), tree.pop_first());
                assert_eq!(map.pop_last(), tree.pop_last());
            }
        }
        let (cut, felled) = (map.split_off(&25), tree.split_off(&25));
        assert!(map.into_iter().eq(tree) && cut.into_iter().eq(felled));
    }

    #[test]
    fn a_set_does_what_a_tree_does() {
        let (mut set, mut tree) = (SortedSet::new(), BTreeSet::new());
        let (other, other_tree): (SortedSet<u8>, BTreeSet<u8>) =
            ((9..40).collect(), (9..40).collect());
        for (step, member) in wild() {
            match step % 3 {
                0 => assert_eq!(set.insert(member), tree.insert(member)),
                1 => assert_eq!(set.remove(&member), tree.remove(&member)),
                _ => assert_eq!(set.contains(&member), tree.contains(&member)),
            }
            assert!(set.iter().eq(tree.iter()));
            assert!(set.difference(&other).eq(tree.difference(&other_tree)));
            assert!(set.intersection(&other).eq(tree.intersection(&other_tree)));
            assert_eq!(set.is_subset(&other), tree.is_subset(&other_tree));
            assert!(set.range(member..).eq(tree.range(member..)));
        }
    }

    #[test]
    fn a_map_of_many_is_as_if_inserted_one_by_one() {
        let tree: BTreeMap<u8, usize> = wild().map(|(step, key)| (key, step)).collect();
        let map: SortedMap<u8, usize> = wild().map(|(step, key)| (key, step)).collect();
        assert!(map.iter().eq(tree.iter()));
    }

    #[test]
    fn the_later_of_two_equal_keys_counts() {
        let map = SortedMap::from([(2, 'a'), (1, 'b'), (2, 'c')]);
        assert_eq!(format!("{map:?}"), "{1: 'b', 2: 'c'}");
        assert_eq!(map[&2], 'c');
    }

    #[test]
    fn items_are_sorted_as_the_standard_library_does() {
        let mut few: Vec<(usize, u8)> = wild().take(100).collect();
        let mut many = few.clone();
        sort_few(&mut few, |left, right| left.1 < right.1);
        many.sort_by_key(|item| item.1);
        assert_eq!(few, many);
        let mut items: Vec<(usize, u8)> = wild().take(100).collect();
        sort_by(&mut items, |left, right| left.1.cmp(&right.1));
        assert_eq!(items, many);
    }
}
