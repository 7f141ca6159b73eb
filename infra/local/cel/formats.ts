import { type Environment, Optional } from "@marcbachmann/cel-js";
import { hasFormat } from "../schema/formats.ts";

/** The name `format`, whose functions give formats. */
class Formats {}

/** A form of text that `validate` holds a text against. */
class Format {
  readonly faults: (text: string) => readonly string[];
  constructor(faults: (text: string) => readonly string[]) {
    this.faults = faults;
  }
}

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const matching =
  (shape: RegExp, most: number, why: string) =>
  (text: string): string[] => [
    ...(text.length > most ? [`must be no more than ${most} bytes`] : []),
    ...(shape.test(text) ? [] : [why]),
  ];
const words =
  "consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const dnsLabel = matching(
  new RegExp(`^${label}$`),
  63,
  `a lowercase RFC 1123 label must ${words} (e.g. 'my-name',  or '123-abc', regex used for validation is '${label}')`,
);
const subdomain = matching(
  new RegExp(`^${label}(\\.${label})*$`),
  253,
  `a lowercase RFC 1123 subdomain must ${words.replace("'-'", "'-' or '.'").replace(" or '-' or", ", '-' or")} (e.g. 'example.com', regex used for validation is '${label}(\\.${label})*')`,
);
const label1035 = matching(
  /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
  63,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
);
const name = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const namePart = matching(
  name,
  63,
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
);
const labelValue = matching(
  /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/,
  63,
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
);

function qualifiedName(text: string): string[] {
  const [head = "", tail, ...more] = text.split("/");
  if (more.length > 0) return ["a qualified name must have at most one '/'"];
  if (tail === undefined) return namePart(head);
  return [
    ...(head === "" ? ["prefix part must be non-empty"] : subdomain(head).map((one) => `prefix part ${one}`)),
    ...namePart(tail),
  ];
}

/** A prefix may end in a dash: what a generated name goes on from. */
const prefix = (faults: (text: string) => string[]) => (text: string) =>
  faults(text.endsWith("-") ? `${text.slice(0, -1)}a` : text);
const known = (format: string) => (text: string) =>
  hasFormat(format, text) ? [] : [`invalid ${format}: "${text}"`];

const formats: Readonly<Record<string, (text: string) => string[]>> = {
  dns1123Label: dnsLabel,
  dns1123Subdomain: subdomain,
  dns1035Label: label1035,
  dns1123LabelPrefix: prefix(dnsLabel),
  dns1123SubdomainPrefix: prefix(subdomain),
  dns1035LabelPrefix: prefix(label1035),
  qualifiedName,
  labelValue,
  uri: known("uri"),
  uuid: known("uuid"),
  byte: known("byte"),
  date: known("date"),
  datetime: known("datetime"),
};

/** Adds Kubernetes' formats: `format.dns1123Label()`, `format.named(name)` and `validate(text)`. */
export function registerFormats(environment: Environment): Environment {
  environment.registerType("Formats", Formats).registerType("Format", Format);
  environment.registerConstant("format", "Formats", new Formats());
  for (const [word, faults] of Object.entries(formats))
    environment.registerFunction(`Formats.${word}(): Format`, () => new Format(faults));
  environment.registerFunction("Formats.named(string): optional<Format>", (_: Formats, word: string) => {
    const faults = Object.hasOwn(formats, word) ? formats[word] : undefined;
    return faults === undefined ? Optional.none() : Optional.of(new Format(faults));
  });
  environment.registerFunction(
    "Format.validate(string): optional<list<string>>",
    (format: Format, text: string) => {
      const found = format.faults(text);
      return found.length === 0 ? Optional.none() : Optional.of(found);
    },
  );
  return environment;
}
