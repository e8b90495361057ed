// A picture of a part of the page, for slides: drawn anew as plain SVG from what the browser has laid out (boxes,
// lines of text, graphics), so that it opens wherever SVG does; or that SVG, painted, as PNG.
//
// Nothing on the page changes: what is put into it for measuring is gone before anything is painted.

const SVG = "http://www.w3.org/2000/svg";

/** Saves the part of the page that `selector` finds. `format`: "svg" or "png". */
export async function save(selector, format, name, title) {
  const element = document.querySelector(selector);
  if (!element) throw new Error(`there is no ${selector}`);
  const font = await embeddedFont();
  const { width, height } = element.getBoundingClientRect();
  // Twice as many pixels as on the screen, but no more than a canvas holds everywhere.
  const scale = format === "png" ? Math.min(2, 8_000 / width, 8_000 / height) : 1;
  let blob = new Blob([draw(element, title, font, scale)], { type: "image/svg+xml" });
  if (format === "png") blob = await painted(blob, width * scale, height * scale);
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The page's own typeface as part of the picture: elsewhere it is not installed. */
async function embeddedFont() {
  try {
    const answer = await fetch(new URL("./fonts/inter.woff2", document.baseURI));
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return `@font-face{font-family:Inter;font-weight:400 600;src:url(data:font/woff2;base64,${btoa(letters)}) format("woff2")}`;
  } catch {
    return "";
  }
}

async function painted(svg, width, height) {
  const image = new Image();
  const address = URL.createObjectURL(svg);
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width);
    canvas.height = Math.round(height);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The SVG of an element, as text. `scale`: how many pixels it will be painted with for each of the page. */
export function draw(element, title, fontFace = "", scale = 1) {
  const restore = materialised(element);
  try {
    const box = element.getBoundingClientRect();
    const picture = new Picture(box, scale);
    const root = node("svg", {
      xmlns: SVG, width: round(box.width), height: round(box.height), viewBox: `0 0 ${round(box.width)} ${round(box.height)}`,
      "font-family": getComputedStyle(document.body).fontFamily, style: "font-feature-settings: 'tnum', 'calt'", "xml:space": "preserve",
    });
    root.append(node("title", {}, title), picture.definitions);
    if (fontFace) root.append(node("style", {}, fontFace));
    root.append(node("rect", { width: "100%", height: "100%", fill: picture.colour(ground(element)) ?? "#fff" }));
    picture.element(element, root);
    return new XMLSerializer().serializeToString(root);
  } finally {
    restore();
  }
}

/** The colour behind an element. */
function ground(element) {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (!/, 0\)$|^transparent$/.test(colour)) return colour;
  }
  return "#fff";
}

/** Puts real elements in the place of generated ones, which cannot be measured; returns how to undo it. */
function materialised(element) {
  const found = [];
  for (const parent of [element, ...element.querySelectorAll("*")]) {
    for (const which of ["::before", "::after"]) {
      const style = getComputedStyle(parent, which);
      if (["none", "normal"].includes(style.content) || style.display === "none") continue;
      const stand = document.createElement("span");
      for (const name of style) stand.style.setProperty(name, style.getPropertyValue(name));
      const quoted = /^"(.*)"$/.exec(style.content);
      stand.textContent = quoted ? quoted[1] : "";
      found.push([parent, which, stand]);
    }
  }
  const sheet = document.createElement("style");
  sheet.textContent = "*::before, *::after { content: none !important; }";
  document.head.append(sheet);
  for (const [parent, which, stand] of found) which === "::before" ? parent.prepend(stand) : parent.append(stand);
  return () => {
    for (const [, , stand] of found) stand.remove();
    sheet.remove();
  };
}

const round = (number) => Math.round(number * 100) / 100;
const px = (text) => Number.parseFloat(text) || 0;

function node(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined && value !== null) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

/** Splits at commas that stand in no bracket. */
const split = (list) => list.split(/,(?![^()]*(?:\([^()]*\)[^()]*)*\))/).map((part) => part.trim());

const COLOUR = /(?:rgba?|color|oklab|oklch|lab|lch|hsla?)\([^()]*\)|#[0-9a-f]+|transparent/i;

/** What presentation attributes graphics are drawn with. */
const PRESENTATION = [
  "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap",
  "stroke-linejoin", "opacity", "font-size", "font-weight", "text-anchor", "dominant-baseline", "vector-effect", "paint-order",
];

class Picture {
  constructor(box, scale) {
    this.scale = scale;
    this.left = box.left;
    this.top = box.top;
    this.definitions = node("defs", {});
    this.colours = new Map();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    this.context = canvas.getContext("2d", { willReadFrequently: true });
  }

  /** Any colour that the browser knows as one that every program knows; null: nothing to be seen. */
  colour(text) {
    if (!this.colours.has(text)) {
      const { context } = this;
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = "rgba(0,0,0,0)";
      context.fillStyle = text;
      context.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
      const rgb = [red, green, blue].join(",");
      this.colours.set(text, alpha === 0 ? null : alpha === 255 ? `rgb(${rgb})` : `rgba(${rgb},${round(alpha / 255)})`);
    }
    return this.colours.get(text);
  }

  define(made) {
    made.id = `d${this.definitions.childElementCount}`;
    this.definitions.append(made);
    return `url(#${made.id})`;
  }

  rect(box, radius, attributes) {
    if (box.width <= 0 || box.height <= 0) return null;
    return node("rect", {
      x: round(box.left - this.left), y: round(box.top - this.top), width: round(box.width), height: round(box.height),
      rx: radius > 0 ? round(radius) : undefined, ...attributes,
    });
  }

  element(element, into) {
    const style = getComputedStyle(element);
    if (element.checkVisibility?.() === false || style.display === "none" || Number(style.opacity) === 0 || style.clipPath.startsWith("inset(50%")) return;
    if (element.matches("input[type=file], script, style, [popover]:not(:popover-open)")) return;
    const box = element.getBoundingClientRect();
    let group = into;
    if (Number(style.opacity) < 1) into.append((group = node("g", { opacity: style.opacity })));
    const isSeen = style.visibility === "visible";
    if (element instanceof SVGSVGElement) {
      if (isSeen) group.append(this.graphics(element, style, box));
      return;
    }
    const radius = cornerRadius(style, box);
    if (isSeen && style.display !== "contents") this.box(style, box, radius, group);
    if (/hidden|clip|auto|scroll/.test(style.overflow) && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)) {
      const clip = node("clipPath", {});
      const inner = this.rect(box, radius, {});
      if (!inner) return;
      clip.append(inner);
      const clipped = node("g", { "clip-path": this.define(clip) });
      group.append(clipped);
      group = clipped;
    }
    if (element.matches("input, select, textarea")) {
      if (isSeen) this.field(element, style, box, group);
      return;
    }
    // What is lifted above the rest is painted after it.
    const height = (child) => {
      if (!(child instanceof Element)) return 0;
      const { position, zIndex } = getComputedStyle(child);
      return position === "static" ? 0 : Number.parseInt(zIndex, 10) || 0;
    };
    const children = [...element.childNodes].map((child) => [height(child), child]).sort(([one], [other]) => one - other);
    for (const [, child] of children) {
      if (child instanceof Element) this.element(child, group);
      else if (child instanceof Text && isSeen) this.text(child, element, style, group);
    }
  }

  /** Background, border, and rings drawn as shadows. */
  box(style, box, radius, into) {
    const fill = this.colour(style.backgroundColor);
    const add = (made) => made && into.append(made);
    if (fill) add(this.rect(box, radius, { fill }));
    const layers = style.backgroundImage === "none" ? [] : split(style.backgroundImage);
    layers.reverse().forEach((layer, place) => {
      const at = layers.length - 1 - place;
      const [area, gradient] = this.gradient(layer, style, at, box);
      if (gradient) add(this.rect(area, area === box ? radius : 0, { fill: gradient }));
    });
    for (const shadow of style.boxShadow === "none" ? [] : split(style.boxShadow)) {
      const colour = this.colour(COLOUR.exec(shadow)?.[0] ?? "transparent");
      const [x, y, blur, spread] = shadow.replace(COLOUR, "").trim().split(/\s+/).map(px);
      if (!colour || x || y || blur || !spread) continue;
      const by = shadow.includes("inset") ? -spread / 2 : spread / 2;
      add(this.rect(grown(box, by), Math.max(0, radius + by), { fill: "none", stroke: colour, "stroke-width": spread }));
    }
    const sides = ["Top", "Right", "Bottom", "Left"].map((side) => ({
      width: style[`border${side}Style`] === "none" ? 0 : px(style[`border${side}Width`]),
      colour: this.colour(style[`border${side}Color`]),
      dash: style[`border${side}Style`],
    }));
    const [top, right, bottom, left] = sides;
    if (sides.every((side) => side.width === top.width && side.colour === top.colour) && box.width > 2 * top.width && box.height > 2 * top.width) {
      const dash = top.dash === "dashed" ? `${3 * top.width} ${2 * top.width}` : top.dash === "dotted" ? `${top.width} ${top.width}` : undefined;
      if (top.width && top.colour) {
        add(this.rect(grown(box, -top.width / 2), Math.max(0, radius - top.width / 2), { fill: "none", stroke: top.colour, "stroke-width": top.width, "stroke-dasharray": dash }));
      }
      return;
    }
    const [x0, y0] = [box.left - this.left, box.top - this.top];
    const [x3, y3] = [x0 + box.width, y0 + box.height];
    const [x1, y1, x2, y2] = [x0 + left.width, y0 + top.width, x3 - right.width, y3 - bottom.width];
    const corners = [[x0, y0, x3, y0, x2, y1, x1, y1], [x3, y0, x3, y3, x2, y2, x2, y1], [x3, y3, x0, y3, x1, y2, x2, y2], [x0, y3, x0, y0, x1, y1, x1, y2]];
    sides.forEach((side, place) => {
      if (side.width && side.colour) add(node("polygon", { points: corners[place].map(round).join(" "), fill: side.colour }));
    });
  }

  /** A linear gradient of CSS and where it is painted. */
  gradient(layer, style, place, box) {
    const match = /^(repeating-)?linear-gradient\((.*)\)$/.exec(layer);
    if (!match) return [box, null];
    const of = (list) => split(list)[place] ?? split(list)[0];
    const [wide, high = wide] = of(style.backgroundSize).split(" ");
    const [x, y] = of(style.backgroundPosition).split(" ");
    const length = (text, whole) => (text === "auto" || text === "cover" ? whole : text.endsWith("%") ? (px(text) / 100) * whole : px(text));
    let area = box;
    if (wide !== "auto" || high !== "auto") {
      const [width, height] = [length(wide, box.width), length(high, box.height)];
      const shift = (text, free) => (text.endsWith("%") ? (px(text) / 100) * free : px(text));
      area = { left: box.left + shift(x, box.width - width), top: box.top + shift(y, box.height - height), width, height };
    }
    const parts = split(match[2]);
    const turned = /^(-?[\d.]+)deg$/.exec(parts[0]) ?? { "to right": [0, 90], "to left": [0, 270], "to top": [0, 0], "to bottom": [0, 180] }[parts[0]];
    if (turned) parts.shift();
    const angle = ((turned ? Number(turned[1]) : 180) * Math.PI) / 180;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const line = Math.abs(area.width * sin) + Math.abs(area.height * cos);
    const stops = parts.flatMap((part) => {
      const colour = this.colour(COLOUR.exec(part)?.[0] ?? part) ?? "rgba(0,0,0,0)";
      const at = part.replace(COLOUR, "").trim().split(/\s+/).filter(Boolean).map((text) => length(text, line));
      return at.length ? at.map((offset) => ({ colour, offset })) : [{ colour, offset: null }];
    });
    if (stops.length < 2) return [area, null];
    stops[0].offset ??= 0;
    stops.at(-1).offset ??= line;
    stops.forEach((stop, at) => {
      stop.offset ??= stops[at - 1].offset + (stops.slice(at).find((later) => later.offset !== null).offset - stops[at - 1].offset) / 2;
    });
    const end = match[1] ? stops.at(-1).offset : line;
    if (end <= 0) return [area, null];
    const middle = [area.left - this.left + area.width / 2, area.top - this.top + area.height / 2];
    const start = [middle[0] - (sin * line) / 2, middle[1] + (cos * line) / 2];
    const gradient = node("linearGradient", {
      gradientUnits: "userSpaceOnUse", spreadMethod: match[1] ? "repeat" : undefined,
      x1: round(start[0]), y1: round(start[1]), x2: round(start[0] + sin * end), y2: round(start[1] - cos * end),
    });
    for (const { colour, offset } of stops) gradient.append(node("stop", { offset: round((offset / end) * 1_000) / 1_000, "stop-color": colour }));
    return [area, this.define(gradient)];
  }

  /** Text as it was broken into lines. */
  text(text, parent, style, into) {
    const words = text.data.trim();
    if (!words) return;
    const start = text.data.indexOf(words);
    const range = document.createRange();
    range.setStart(text, start);
    range.setEnd(text, start + words.length);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
    if (boxes.length === 0) return;
    const lines = [];
    if (boxes.length === 1) {
      lines.push({ text: words, left: boxes[0].left, right: boxes[0].right, top: boxes[0].top, height: boxes[0].height });
    } else {
      let at = start;
      for (const letter of words) {
        range.setStart(text, at);
        range.setEnd(text, (at += letter.length));
        const box = [...range.getClientRects()].at(-1);
        if (!box) continue;
        const line = lines.at(-1);
        if (line && Math.abs(line.top - box.top) < 2) {
          line.text += letter;
          line.right = Math.max(line.right, box.right);
        } else lines.push({ text: letter, left: box.left, right: box.right, top: box.top, height: box.height });
      }
    }
    const isCut = style.textOverflow === "ellipsis" && style.overflow !== "visible" && parent.scrollWidth > parent.clientWidth;
    const limit = isCut ? parent.getBoundingClientRect().right - px(style.paddingRight) : Infinity;
    for (const line of lines) this.line(line, style, limit, into);
  }

  line({ text, left, right, top, height }, style, limit, into) {
    const isKept = /pre/.test(style.whiteSpace);
    let shown = isKept ? text.replace(/\n$/, "") : text.replace(/\s+/g, " ").trim();
    if (!shown.trim()) return;
    if (style.textTransform === "uppercase") shown = shown.toUpperCase();
    const { context } = this;
    context.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    let width = right - left;
    // Where text ends in dots, the browser tells no more than what is left of it.
    if (left + context.measureText(shown).width > limit + 1) {
      const room = limit - left - context.measureText("…").width;
      while (shown && context.measureText(shown).width > room) shown = shown.slice(0, -1);
      shown += "…";
      width = undefined;
    }
    const { fontBoundingBoxAscent: above, fontBoundingBoxDescent: below } = context.measureText(shown);
    const fill = this.colour(style.color);
    if (!fill) return;
    into.append(node("text", {
      x: round(left - this.left), y: round(top - this.top + (height - above - below) / 2 + above), fill,
      "font-size": px(style.fontSize), "font-weight": style.fontWeight === "400" ? undefined : style.fontWeight,
      "font-family": style.fontFamily === getComputedStyle(document.body).fontFamily ? undefined : style.fontFamily,
      "font-style": style.fontStyle === "normal" ? undefined : style.fontStyle,
      "text-decoration": style.textDecorationLine !== "none" && style.textDecorationColor === style.color ? style.textDecorationLine : undefined,
      textLength: width && [...shown].length > 1 ? round(width) : undefined, lengthAdjust: width ? "spacingAndGlyphs" : undefined,
    }, shown));
  }

  /** What stands in a field is no text of the page. */
  field(field, style, box, into) {
    if (field.type === "checkbox" || field.type === "radio" || field.type === "range") {
      into.append(this.rect(grown(box, -1), 2, { fill: field.checked ? this.colour(style.color) : "none", stroke: this.colour(style.color) }));
      return;
    }
    const text = field.selectedOptions?.[0]?.textContent ?? field.value ?? "";
    const height = px(style.fontSize) * 1.2;
    const left = box.left + px(style.paddingLeft) + px(style.borderLeftWidth);
    this.line({ text, left, right: left, top: box.top + (box.height - height) / 2, height }, style, Infinity, into);
  }

  /** A graphic of the page, with the style that it has from outside. */
  graphics(svg, style, box) {
    const copy = svg.cloneNode(true);
    const pairs = [[svg, copy], ...[...svg.querySelectorAll("*")].map((one, place) => [one, copy.querySelectorAll("*")[place]])];
    const gone = [];
    for (const [one, other] of pairs) {
      const style = getComputedStyle(one);
      if (style.display === "none" || style.visibility !== "visible") gone.push(other);
      for (const name of PRESENTATION) {
        const value = style.getPropertyValue(name);
        if (value && value !== "none" && value !== "normal" && value !== "auto") {
          const isColour = (name === "fill" || name === "stroke") && !value.startsWith("url");
          other.setAttribute(name, isColour ? (this.colour(value) ?? "none") : value);
        } else if (name === "fill" || name === "stroke") other.setAttribute(name, "none");
      }
      // Such a line is as wide as it says in the pixels that are painted, whatever the scale.
      if (style.vectorEffect === "non-scaling-stroke") other.setAttribute("stroke-width", px(style.strokeWidth) * this.scale);
      if (one !== svg && style.transform !== "none") {
        const [x, y] = style.transformOrigin.split(" ").map(px);
        other.setAttribute("transform", `translate(${x} ${y}) ${style.transform} translate(${-x} ${-y})`);
      }
      for (const name of ["cx", "cy", "r", "x", "y", "width", "height", "d"]) {
        const value = style.getPropertyValue(name);
        if (one !== svg && !other.hasAttribute(name) && value && value !== "auto" && value !== "0px" && value !== "none") {
          other.setAttribute(name, name === "d" ? value.replace(/^path\("(.*)"\)$/, "$1") : value);
        }
      }
      for (const name of ["class", "style", "data-colour", "aria-hidden"]) other.removeAttribute(name);
    }
    for (const other of gone) other.remove();
    for (const [name, value] of Object.entries({ x: box.left - this.left, y: box.top - this.top, width: box.width, height: box.height })) {
      copy.setAttribute(name, round(value));
    }
    if (style.overflow === "visible") copy.setAttribute("overflow", "visible");
    return copy;
  }
}

const grown = (box, by) => ({ left: box.left - by, top: box.top - by, width: box.width + 2 * by, height: box.height + 2 * by });

function cornerRadius(style, box) {
  const text = style.borderTopLeftRadius.split(" ")[0];
  const radius = text.endsWith("%") ? (px(text) / 100) * Math.min(box.width, box.height) : px(text);
  return Math.min(radius, box.width / 2, box.height / 2);
}
