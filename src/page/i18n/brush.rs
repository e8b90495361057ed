//! Texts of choosing a window of time on the time bar.

/// The texts.
#[allow(missing_docs)]
pub struct BrushTexts {
    pub strip: &'static str,
    pub from: &'static str,
    pub until: &'static str,
    pub how: &'static str,
}

/// In English.
pub(super) const ENGLISH: BrushTexts = BrushTexts {
    strip: "Window that the ledger counts",
    from: "Beginning of the window",
    until: "End of the window",
    how: "Any other window: drag along the strip below the time line.",
};

/// In Korean.
pub(super) const KOREAN: BrushTexts = BrushTexts {
    strip: "장부가 세는 구간",
    from: "구간의 시작",
    until: "구간의 끝",
    how: "다른 구간은 시간 막대 아래의 띠를 끌어서 고릅니다.",
};
