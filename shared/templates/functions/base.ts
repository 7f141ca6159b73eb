const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const GROUP = 8;
/** The letters of a group that can be whole bytes. */
const WHOLE = new Set([2, 4, 5, 7, 8]);

/** Gathers bits into bytes. */
class Bits {
  text = "";
  readonly #width: number;
  #held = 0;
  #count = 0;
  constructor(width: number) {
    this.#width = width;
  }
  add(value: number): void {
    this.#held = ((this.#held << this.#width) | value) & 0xffff;
    this.#count += this.#width;
    if (this.#count < 8) return;
    this.#count -= 8;
    this.text += String.fromCharCode((this.#held >> this.#count) & 0xff);
  }
}

const illegal = (base: 32 | 64, at: number): string => `illegal base${base} data at input byte ${at}`;

/** The bytes as base32. */
export function toBase32(bytes: string): string {
  let out = "";
  let held = 0;
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    held = ((held << 8) | bytes.charCodeAt(at)) & 0xfff;
    count += 8;
    for (; count >= 5; count -= 5) out += BASE32[(held >> (count - 5)) & 31];
  }
  if (count > 0) out += BASE32[(held << (5 - count)) & 31];
  return out.padEnd(Math.ceil(out.length / GROUP) * GROUP, "=");
}

/** The bytes of base32, or Go's message, which sprig gives as the result. What follows the padding is not looked at. */
export function fromBase32(given: string): string {
  const text = given.replace(/[\r\n]/g, "");
  const bits = new Bits(5);
  for (let at = 0; at < text.length; ) {
    for (let place = 0; place < GROUP; place += 1, at += 1) {
      if (at >= text.length) return illegal(32, text.length - place);
      const left = text.length - at - 1;
      if (text[at] === "=" && place >= 2 && left < GROUP) {
        if (left + place < GROUP - 1) return illegal(32, text.length);
        for (let ahead = 0; ahead < GROUP - 1 - place; ahead += 1)
          if (ahead < left && text[at + 1 + ahead] !== "=") return illegal(32, at + ahead);
        return WHOLE.has(place) ? bits.text : illegal(32, at);
      }
      const value = BASE32.indexOf(text[at] ?? "");
      if (value < 0) return illegal(32, at);
      bits.add(value);
    }
  }
  return bits.text;
}

/** The bytes of base64, or Go's message, which sprig gives as the result. */
export function fromBase64(text: string): string {
  const bits = new Bits(6);
  let place = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? "";
    if (letter === "\n" || letter === "\r") continue;
    if (letter === "=") return wrongPadding(text, at, place) ?? bits.text;
    const value = BASE64.indexOf(letter);
    if (value < 0) return illegal(64, at);
    bits.add(value);
    place = (place + 1) % 4;
  }
  return place === 0 ? bits.text : illegal(64, text.length - place);
}

/** Go's message where the padding that begins here is wrong. */
function wrongPadding(text: string, at: number, place: number): string | undefined {
  const behindBreaks = (from: number): number => {
    let next = from;
    while (text[next] === "\n" || text[next] === "\r") next += 1;
    return next;
  };
  if (place < 2) return illegal(64, at);
  let next = at + 1;
  if (place === 2) {
    next = behindBreaks(next);
    if (next === text.length) return illegal(64, next);
    if (text[next] !== "=") return illegal(64, next - 1);
    next += 1;
  }
  next = behindBreaks(next);
  return next < text.length ? illegal(64, next) : undefined;
}
