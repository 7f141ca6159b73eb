/** The longest wait that a server's word brings. More is a mistake, or somebody's wish that nothing is asked any more. */
const MOST = 24 * 3_600_000;
const SECOND = 1000;
/** The shortest: a server that says "now" and refuses again would be asked without end. */
const LEAST = SECOND;

const whole = (text: string | null): number =>
  text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;

/**
 * The time before which a server wants no further request, in milliseconds since the epoch: by `Retry-After` in either form, else
 * by `X-RateLimit-Reset` once nothing remains, as GitHub says it. Undefined where it says neither. A day from now at most.
 */
export function notBeforeOf(headers: Headers, now: number): number | undefined {
  const after = headers.get("retry-after");
  const times = [
    now + whole(after) * SECOND,
    Date.parse(after ?? ""),
    whole(headers.get("x-ratelimit-remaining")) === 0
      ? whole(headers.get("x-ratelimit-reset")) * SECOND
      : Number.NaN,
  ];
  const said = times.find((time) => !Number.isNaN(time));
  return said === undefined ? undefined : Math.min(Math.max(said, now + LEAST), now + MOST);
}
