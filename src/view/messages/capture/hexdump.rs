//! The text of hex dumps: digits alone, or lines with an offset in front and characters behind.

use super::CaptureProblem;

/// The messages or packets of a dump. Blank lines, and offsets that begin anew, part them.
///
/// # Errors
/// It is no dump; says where.
pub(super) fn read(text: &str) -> Result<Vec<Vec<u8>>, CaptureProblem> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .enumerate()
        .map(|(place, line)| (place + 1, line))
        .collect();
    let has_offsets = lines
        .iter()
        .map(|(_, line)| line.trim())
        .find(|line| !line.is_empty())
        .ok_or(CaptureProblem::Empty)
        .map(|first| offset(first).is_some_and(|(at, _)| at == 0))?;
    let mut pieces: Vec<Vec<u8>> = vec![Vec::new()];
    for (number, line) in lines {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            pieces.push(Vec::new());
            continue;
        }
        let (at, digits) = match offset(trimmed) {
            Some((at, digits)) if has_offsets => (Some(at), digits),
            _ if has_offsets => {
                // A line without an offset among those that have one: a summary of the tool.
                continue;
            }
            _ => (None, trimmed),
        };
        let is_new = at == Some(0) && pieces.last().is_some_and(|piece| !piece.is_empty());
        if is_new {
            pieces.push(Vec::new());
        }
        if let Some(piece) = pieces.last_mut() {
            bytes_of(number, line, digits, at.is_some(), piece)?;
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    Ok(pieces)
}

/// The offset in front of a line, and what follows it.
fn offset(line: &str) -> Option<(usize, &str)> {
    let (word, rest) = line.split_once([' ', '\t', ':'])?;
    let digits = word.strip_prefix("0x").unwrap_or(word);
    let is_offset = (4..=8).contains(&digits.len()) && rest.starts_with([' ', '\t', ':', '0']);
    let at = usize::from_str_radix(digits, 16).ok()?;
    is_offset.then(|| (at, rest.trim_start_matches([' ', '\t', ':'])))
}

/// Appends the bytes of a line. After an offset the digits end where two blanks precede anything that is
/// no byte, or at a bar: what follows are characters.
fn bytes_of(
    number: usize,
    line: &str,
    digits: &str,
    has_offset: bool,
    piece: &mut Vec<u8>,
) -> Result<(), CaptureProblem> {
    if has_offset {
        let mut gap = digits;
        while !gap.is_empty() {
            let word_end = gap.find([' ', '\t']).unwrap_or(gap.len());
            let (word, rest) = gap.split_at(word_end);
            let is_bytes = word.len() % 2 == 0 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
            // tcpdump writes bytes in pairs, others singly.
            if !is_bytes || word.len() > 4 {
                break;
            }
            push(word, piece);
            let trimmed = rest.trim_start();
            let blanks = rest.len() - trimmed.len();
            let had_sixteen = piece.len().is_multiple_of(16);
            if blanks >= 2 && (had_sixteen || blanks > 2) {
                break;
            }
            gap = trimmed;
        }
        return Ok(());
    }
    let mut pending: Option<char> = None;
    let start = line.len() - line.trim_start().len();
    for (column, character) in line.chars().enumerate().skip(start) {
        if character.is_whitespace() || matches!(character, ':' | ',') {
            continue;
        }
        if !character.is_ascii_hexdigit() {
            return Err(CaptureProblem::NoDigit {
                line: number,
                column: column + 1,
                character,
            });
        }
        match pending.take() {
            None => pending = Some(character),
            Some(high) => push(&format!("{high}{character}"), piece),
        }
    }
    match pending {
        Some(_) => Err(CaptureProblem::HalfByte { line: number }),
        None => Ok(()),
    }
}

/// Appends pairs of digits.
fn push(word: &str, piece: &mut Vec<u8>) {
    let digits: Vec<u8> = word
        .chars()
        .filter_map(|digit| {
            digit
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        })
        .collect();
    piece.extend(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]));
}
