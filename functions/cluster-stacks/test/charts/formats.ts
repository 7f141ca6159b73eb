/** Texts that have a format of JSON schema, and texts that do not, as helm takes them. */
export const FORMATS: Readonly<
  Record<string, { readonly good: readonly string[]; readonly bad: readonly string[] }>
> = {
  date: { good: ["2024-02-29"], bad: ["2023-02-29", "2024-2-1"] },
  time: {
    good: ["10:00:00Z", "10:00:00.5+01:00", "23:59:60Z", "00:59:60+01:00"],
    bad: ["10:00:00", "24:00:00Z", "22:59:60Z", "10:00:00.Z"],
  },
  "date-time": {
    good: ["2024-01-01T10:00:00Z", "2024-01-01t10:00:00-05:00"],
    bad: ["2024-01-01 10:00:00Z", "2023-02-29T10:00:00Z"],
  },
  duration: { good: ["P2W", "P1Y2M3DT4H5M6S"], bad: ["P", "PT", "P1DT", "P1W1D", "PT1M1H", "1D"] },
  period: {
    good: [
      "2024-01-01T10:00:00Z/P1D",
      "P1D/2024-01-01T10:00:00Z",
      "2024-01-01T10:00:00Z/2025-01-01T10:00:00Z",
    ],
    bad: ["P1D/P1D", "P1D"],
  },
  email: {
    good: ["a@b.c", '"a b"@c.d', "a@[127.0.0.1]", "a@[IPv6:::1]"],
    bad: ["a", "a@", "a..b@c.d", ".a@b", "a b@c.d", "a@-b.c", "a@[x]"],
  },
  hostname: { good: ["a.b", "a.", "x".repeat(63)], bad: ["a-", "a..b", "", "a_b", "x".repeat(64)] },
  ipv4: { good: ["1.2.3.4"], bad: ["256.1.1.1", "01.2.3.4", "1.2.3", "1.2.3.4."] },
  ipv6: { good: ["::1", "::ffff:1.2.3.4"], bad: ["1.2.3.4", "fe80::1%eth0", ":::"] },
  uri: {
    good: ["https://u:p@a.b:80/c?d=%zz#f", "mailto:a@b", "http://[::1]:80/", "file:///x", "http://ä/ö"],
    bad: [
      "a",
      "/a",
      ":a",
      "http://a b",
      "http://[::1",
      "http://a:b",
      "http://a/%zz",
      "http://a#%zz",
      "//a/b",
    ],
  },
  "uri-reference": {
    good: ["a/b:c", "//a/b", "", "?x", "///a"],
    bad: ["1:2", "%zz", "http://a:80:90", "a\\b"],
  },
  iri: { good: ["http://ä/ö"], bad: ["ä"] },
  "iri-reference": { good: ["ä"], bad: ["ä%", "ä\\b"] },
  "uri-template": { good: ["http://a/{b}/{c}"], bad: ["http://a/{b", "http://a/{{b}}"] },
  "json-pointer": { good: ["", "/a~0/b"], bad: ["a", "/a~2"] },
  "relative-json-pointer": { good: ["0", "1/a", "0#"], bad: ["01", "#", "1#a"] },
  regex: { good: ["\\pN+"], bad: ["(", "(?=a)"] },
  semver: { good: ["1.2.3-a.1+b"], bad: ["1.2", "v1.2.3", "1.2.3-01"] },
  uuid: {
    good: ["ABCDEFab-0000-0000-0000-000000000000"],
    bad: ["0000", "0000000g-0000-0000-0000-000000000000"],
  },
  "a format that nobody knows": { good: ["x"], bad: [] },
};
