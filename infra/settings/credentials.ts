import type * as z from "zod";
import type { NatsOptions } from "../../shared/bus/nats/options.ts";
import { variableOf } from "./outline.ts";

const AT = ["bus", "nats"];
const sorts = ["user", "token", "nkey", "credentialsFile"] as const;
const secrets = ["password", "token", "nkey"] as const;

/**
 * NATS takes one sort of credentials, and that one whole: the server would refuse them with less to say, or, as with a password beside a
 * token, only one would count.
 */
export function refuseOtherCredentials(
  options: Pick<NatsOptions, (typeof sorts)[number] | "password">,
  { addIssue }: z.core.$RefinementCtx,
): void {
  const refuse = (name: string, message: string): void => addIssue({ code: "custom", path: [name], message });
  const { user, password } = options;
  for (const name of secrets)
    if (options[name]?.trim() === "") refuse(name, "it is empty: write the secret there, or leave it out");
  const given = sorts.flatMap((name) => {
    const counts = name === "user" && user === undefined ? "password" : name;
    return options[counts] === undefined ? [] : [counts];
  });
  for (const name of given.slice(1))
    refuse(name, `${given[0]} is given too, and NATS takes one sort of credentials: leave one of them out`);
  if (given.length > 1) return;
  if (user !== undefined && password === undefined)
    refuse(
      "user",
      `it has no password: name a file that holds it with ${variableOf([...AT, "password"])}_FILE`,
    );
  if (user === undefined && password !== undefined)
    refuse("password", `it has no user: name one with user, or ${variableOf([...AT, "user"])}`);
}
