import { readFileSync } from "node:fs";
import { messageOf } from "../../shared/errors.ts";
import type { SettingPath, Settings } from "../settings/index.ts";

/** A file whose content proves somebody to `serve`. */
export interface ServeSecret {
  readonly path: SettingPath;
  /** `caller ci`, `trigger github`: how metrics and logs name it. */
  readonly of: string;
  readonly file: string;
}

/** The fault of a secret, in words that do not hold it. */
export interface SecretFault extends ServeSecret {
  readonly message: string;
  /** True where nobody can be proven by it now. */
  readonly unusable: boolean;
}

/** Callers, and a gateway, whose certificates nobody looks at: none of them is ever known. */
export function unprovableCallers({
  callers,
  certified,
  tls,
}: Settings["serve"]): readonly Pick<SecretFault, "path" | "of" | "message">[] {
  if (tls?.clientAuthority !== undefined) return [];
  const message = "no certificate proves anybody here: name serve.tls.clientAuthority";
  const gateway = { path: ["serve", "certified", "gateway"], of: "gateway", message };
  return [
    ...Object.entries(callers).flatMap(([name, { certificate }]) =>
      certificate === undefined
        ? []
        : [{ path: ["serve", "callers", name, "certificate"], of: `caller ${name}`, message }],
    ),
    ...(certified?.gateway === undefined ? [] : [gateway]),
  ];
}

/** Fewer characters can be guessed. */
const SHORTEST = 16;

export const serveSecrets = ({ callers, triggers, certified }: Settings["serve"]): readonly ServeSecret[] => [
  ...Object.entries(callers).flatMap(([name, { tokenFile: file }]): readonly ServeSecret[] =>
    file === undefined ? [] : [{ path: ["serve", "callers", name, "tokenFile"], of: `caller ${name}`, file }],
  ),
  ...Object.entries(triggers).flatMap(([name, { secretFile: file }]): readonly ServeSecret[] =>
    file === undefined
      ? []
      : [{ path: ["serve", "triggers", name, "secretFile"], of: `trigger ${name}`, file }],
  ),
  ...(certified === undefined
    ? []
    : [{ path: ["serve", "certified", "authorities"], of: "authorities", file: certified.authorities }]),
];

/** The faults of the present secrets: missing, empty, short, or the same for two callers, who could not be told apart. */
export function secretFaults(serve: Settings["serve"]): readonly SecretFault[] {
  const owners = new Map<string, ServeSecret>();
  return serveSecrets(serve).flatMap((secret): readonly SecretFault[] => {
    const { file } = secret;
    let text: string;
    try {
      text = readFileSync(file, "utf8").trim();
    } catch (thrown) {
      return [{ ...secret, unusable: true, message: `it cannot be read: ${messageOf(thrown)}` }];
    }
    if (text === "")
      return [{ ...secret, unusable: true, message: `${file} is empty: write the secret there` }];
    const fault = (message: string): SecretFault => ({ ...secret, unusable: false, message });
    const short =
      text.length < SHORTEST
        ? [
            fault(
              `the secret in ${file} has fewer than ${SHORTEST} characters: make one with openssl rand -hex 32`,
            ),
          ]
        : [];
    if (!secret.of.startsWith("caller")) return short;
    const owner = owners.get(text);
    owners.set(text, owner ?? secret);
    return owner === undefined
      ? short
      : [...short, fault(`${file} holds the token of ${owner.of} too: who asks could not be told apart`)];
  });
}
