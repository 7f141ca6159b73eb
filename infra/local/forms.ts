const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dnsSubdomain = `${dnsLabel}(\\.${dnsLabel})*`;
const nameRule = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const nameParts =
  "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const regex = (examples: string, pattern: string): string =>
  `(e.g. ${examples}, regex used for validation is '${pattern}')`;

/** The faults of a text, in the server's words; none where it has the form. */
export type Form = (text: string) => readonly string[];

function form(
  pattern: string,
  most: number,
  why: string,
  tooLong = `must be no more than ${most} bytes`,
): Form {
  const shape = new RegExp(`^${pattern}$`);
  return (text) => [...(text.length > most ? [tooLong] : []), ...(shape.test(text) ? [] : [why])];
}

/** An RFC 1123 label: the name of a container, of a Namespace. */
export const labelForm = form(
  dnsLabel,
  63,
  `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character ${regex("'my-name',  or '123-abc'", dnsLabel)}`,
);

/** An RFC 1123 subdomain: the name of most objects. */
export const subdomainForm = form(
  dnsSubdomain,
  253,
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character ${regex("'example.com'", dnsSubdomain)}`,
);

/** An RFC 1035 label, which starts with a letter. */
export const letterLabelForm = form(
  "[a-z]([-a-z0-9]*[a-z0-9])?",
  63,
  `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character ${regex("'my-name',  or 'abc-123'", "[a-z]([-a-z0-9]*[a-z0-9])?")}`,
);

/** A subdomain behind `*.`. */
export const wildcardForm = form(
  `\\*\\.${dnsSubdomain}`,
  253,
  `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character ${regex("'*.example.com'", `\\*\\.${dnsSubdomain}`)}`,
);

/** The value of a label. */
export const labelValueForm = form(
  `(${nameRule})?`,
  63,
  `a valid label must be an empty string or ${nameParts} ${regex("'MyValue',  or 'my_value',  or '12345'", `(${nameRule})?`)}`,
);

const examplesOfNames = "'MyName',  or 'my.name',  or '123-abc'";
const namePart = form(
  nameRule,
  63,
  `name part must ${nameParts} ${regex(examplesOfNames, nameRule)}`,
  "name part must be no more than 63 bytes",
);

/** The key of a label or annotation: a name, and perhaps a subdomain before a slash. */
export const qualifiedNameForm: Form = (text) => {
  const parts = text.split("/");
  const name = parts.at(-1) ?? "";
  if (parts.length > 2)
    return [
      `a qualified name must ${nameParts} ${regex(examplesOfNames, nameRule)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const prefix = parts.length === 2 ? (parts[0] ?? "") : undefined;
  return [
    ...(prefix === undefined
      ? []
      : prefix === ""
        ? ["prefix part must be non-empty"]
        : subdomainForm(prefix).map((why) => `prefix part ${why}`)),
    ...(name === "" ? ["name part must be non-empty"] : []),
    ...namePart(name),
  ];
};

/** The name of a port (IANA service name). */
export const portNameForm: Form = (text) => {
  const whys: string[] = [];
  if (text.length > 15) whys.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/.test(text))
    whys.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(text)) whys.push("must contain at least one letter (a-z)");
  if (text.includes("--")) whys.push("must not contain consecutive hyphens");
  if (text.startsWith("-") || text.endsWith("-")) whys.push("must not begin or end with a hyphen");
  return whys;
};
