import type { Clock } from "../../../../../../../shared/clock/clock.ts";
import { fixed } from "../../../../../../../shared/templates/functions/define.ts";
import {
  bytesOf,
  FunctionFault,
  type Functions,
  Int,
  TemplateObject,
  textOf,
  type Value,
} from "../../../../../../../shared/templates/index.ts";
import { durationOf, shownDuration } from "./duration.ts";
import { formatted, parsedTime } from "./time-layout.ts";

/** The time of a text that is none: the first that Go knows. */
const BEGINNING = Date.parse("0001-01-01T00:00:00Z");

/** A time as templates hold it, in UTC: the zone of a machine says nothing about a chart. */
export class TimeObject extends TemplateObject {
  readonly type = "time.Time";
  readonly kind = "struct";
  readonly milliseconds: number;
  constructor(milliseconds: number) {
    super();
    this.milliseconds = milliseconds;
  }
  override member(name: string) {
    const number = (value: number, type: "int" | "int64" = "int") => ({
      method: fixed([], () => new Int(Math.floor(value), type)),
    });
    const date = new Date(this.milliseconds);
    switch (name) {
      case "Format":
        return { method: fixed(["string"], ([layout]) => bytesOf(formatted(textOf(layout), date, "UTC"))) };
      case "Unix":
        return number(this.milliseconds / 1000, "int64");
      case "UnixNano":
        return {
          method: fixed([], () => new Int(BigInt(Math.floor(this.milliseconds)) * 1_000_000n, "int64")),
        };
      case "UTC":
      case "Local":
        return { method: fixed([], () => this) };
      case "Year":
        return number(date.getUTCFullYear());
      case "Month":
        return number(date.getUTCMonth() + 1);
      case "Day":
        return number(date.getUTCDate());
      case "Hour":
        return number(date.getUTCHours());
      case "Minute":
        return number(date.getUTCMinutes());
      case "Second":
        return number(date.getUTCSeconds());
      default:
        return undefined;
    }
  }
  override toString(): string {
    return formatted("2006-01-02 15:04:05.999999999 -0700 MST", new Date(this.milliseconds), "UTC");
  }
  override isEqual(other: TemplateObject): boolean {
    return other instanceof TimeObject && other.milliseconds === this.milliseconds;
  }
}

/** Sprig's functions on dates. */
export function dates(clock: Clock): Functions {
  const timeOf = (value: Value): number => {
    if (value instanceof TimeObject) return value.milliseconds;
    if (value instanceof Int) return Number(value.value) * 1000;
    return clock.now();
  };
  const inZone = (layout: string, value: Value, zone: string): string =>
    bytesOf(formatted(textOf(layout), new Date(timeOf(value)), textOf(zone)));
  const modified = fixed(["string", "time.Time"], ([by, time]) => {
    const span = durationOf(by);
    return time instanceof TimeObject && span !== undefined ? new TimeObject(time.milliseconds + span) : time;
  });
  const mustModify = fixed(["string", "time.Time"], ([by, time]) => {
    const span = durationOf(by);
    if (span === undefined) throw new FunctionFault(`time: invalid duration ${JSON.stringify(by)}`);
    return time instanceof TimeObject ? new TimeObject(time.milliseconds + span) : time;
  });
  return {
    now: fixed([], () => new TimeObject(clock.now())),
    date: fixed(["string", "interface {}"], ([layout, value]) => inZone(layout, value, "UTC")),
    dateInZone: fixed(["string", "interface {}", "string"], ([layout, value, zone]) =>
      inZone(layout, value, zone),
    ),
    date_in_zone: fixed(["string", "interface {}", "string"], ([layout, value, zone]) =>
      inZone(layout, value, zone),
    ),
    htmlDate: fixed(["interface {}"], ([value]) => inZone("2006-01-02", value, "UTC")),
    htmlDateInZone: fixed(["interface {}", "string"], ([value, zone]) => inZone("2006-01-02", value, zone)),
    dateModify: modified,
    date_modify: modified,
    mustDateModify: mustModify,
    must_date_modify: mustModify,
    toDate: fixed(
      ["string", "string"],
      ([layout, text]) => new TimeObject(parsedTime(textOf(layout), textOf(text)) ?? BEGINNING),
    ),
    mustToDate: fixed(["string", "string"], ([layout, text]) => {
      const time = parsedTime(textOf(layout), textOf(text));
      if (time === undefined)
        throw new FunctionFault(
          `parsing time ${JSON.stringify(text)} as ${JSON.stringify(layout)}: it is written in another way`,
        );
      return new TimeObject(time);
    }),
    unixEpoch: fixed(["time.Time"], ([time]) => String(Math.floor(timeOf(time) / 1000))),
    ago: fixed(["interface {}"], ([value]) =>
      shownDuration(Math.round((clock.now() - timeOf(value)) / 1000)),
    ),
  };
}
