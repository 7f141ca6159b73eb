import { type Environment, Optional } from "@marcbachmann/cel-js";
import { hasFormat } from "../../../shared/kube/validation/formats.ts";
import {
  type Form,
  labelForm,
  labelValueForm,
  letterLabelForm,
  qualifiedNameForm,
  subdomainForm,
} from "../forms.ts";

/** The name `format`, whose functions give formats. */
class Formats {}

/** A form of text that `validate` holds a text against. */
class Format {
  readonly faults: Form;
  constructor(faults: Form) {
    this.faults = faults;
  }
}

/** A prefix may end in a dash: what a generated name goes on from. */
const prefix = (faults: Form) => (text: string) =>
  faults(text.endsWith("-") ? `${text.slice(0, -1)}a` : text);
const known = (format: string) => (text: string) =>
  hasFormat(format, text) ? [] : [`invalid ${format}: "${text}"`];

const formats: Readonly<Record<string, Form>> = {
  dns1123Label: labelForm,
  dns1123Subdomain: subdomainForm,
  dns1035Label: letterLabelForm,
  dns1123LabelPrefix: prefix(labelForm),
  dns1123SubdomainPrefix: prefix(subdomainForm),
  dns1035LabelPrefix: prefix(letterLabelForm),
  qualifiedName: qualifiedNameForm,
  labelValue: labelValueForm,
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
