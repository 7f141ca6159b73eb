import * as z from "zod";
import { jsonOf } from "../json/parse.ts";
import { bytesOf, type ExchangeLimits, exchange, type Fetch } from "../requests/exchange.ts";
import { type Challenge, challengesOf } from "./challenge.ts";
import { OciError } from "./errors.ts";
import { refusal } from "./refusal.ts";

/** The proof of who asks a registry: a name and password, or a token of its own. */
export type Credentials =
  | { readonly username: string; readonly password: string }
  | { readonly token: string };

/** The actions that a login is for. */
export type Actions = "pull" | "pull,push";

/** The outside of a login. */
export interface LoginOptions extends ExchangeLimits {
  readonly fetch: Fetch;
  /** The registry itself: `https://registry.example.org`. */
  readonly registry: URL;
  readonly repository: string;
  /** Asked at each login, so that they may be renewed. Undefined: anonymous. */
  readonly credentials: () => Promise<Credentials | undefined>;
}

/** The answer with a token; whatever odd stands beside it counts as not said. */
const answer = z.looseObject({
  token: z.string().optional().catch(undefined),
  access_token: z.string().optional().catch(undefined),
  expires_in: z.number().nonnegative().optional().catch(undefined),
});
const TOKEN_BYTES = 2 ** 20;
/** The life of a token that says none, by the specification of registries. */
const DEFAULT_SECONDS = 60;
/** The part of a token's life for which it is used: the rest is for the way. */
const USED = 0.8;

/** The header `authorization` for one repository, as the registry's challenges ask for it. */
export class Login {
  readonly #options: LoginOptions;
  readonly #known = new Map<Actions, { readonly header: string; readonly until: number }>();
  constructor(options: LoginOptions) {
    this.#options = options;
  }

  /** The header that served last, as long as it holds. */
  known(actions: Actions): string | undefined {
    const known = this.#known.get(actions);
    return known !== undefined && this.#options.clock.now() < known.until ? known.header : undefined;
  }

  /**
   * The header that answers the challenges of a refusal; undefined where nothing can. `refused` is the header that was refused.
   * @throws OciError
   */
  async after(
    challenges: string,
    actions: Actions,
    refused: string | undefined,
  ): Promise<string | undefined> {
    const { clock, credentials } = this.#options;
    this.#known.delete(actions);
    const offered = challengesOf(challenges);
    const own = await credentials();
    const bearer = offered.find(({ scheme }) => scheme === "bearer");
    const keep = (header: string, seconds: number): string | undefined => {
      if (header === refused) return undefined;
      this.#known.set(actions, { header, until: clock.now() + seconds * 1000 });
      return header;
    };
    if (own !== undefined && "token" in own)
      return bearer === undefined ? undefined : keep(`Bearer ${own.token}`, Number.POSITIVE_INFINITY);
    if (bearer !== undefined) {
      const { token, seconds } = await this.#token(bearer, actions, own && basic(own));
      return keep(`Bearer ${token}`, seconds * USED);
    }
    return own !== undefined && offered.some(({ scheme }) => scheme === "basic")
      ? keep(basic(own), Number.POSITIVE_INFINITY)
      : undefined;
  }

  async #token(
    { parameters }: Challenge,
    actions: Actions,
    authorization: string | undefined,
  ): Promise<{ readonly token: string; readonly seconds: number }> {
    const { fetch, clock, registry, repository } = this.#options;
    const url = realmOf(parameters.realm, registry);
    if (parameters.service !== undefined) url.searchParams.set("service", parameters.service);
    // Our own scope, not the one that the challenge names: a token is good for no more than what is done with it.
    url.searchParams.set("scope", `repository:${repository}:${actions}`);
    const headers = { accept: "application/json", ...(authorization !== undefined && { authorization }) };
    return exchange(fetch, { url, headers }, this.#options, async (response) => {
      const place = `the login of ${registry.host} at ${url.host}`;
      if (response.status !== 200) throw refusal(place, response, clock);
      const text = Buffer.from(await bytesOf(response, TOKEN_BYTES)).toString("utf8");
      const parsed = answer.safeParse(jsonOf(text));
      const token = parsed.data?.token ?? parsed.data?.access_token;
      if (token === undefined || !/^[\x21-\x7e]+$/.test(token))
        throw new OciError("OCI_ANSWER_INVALID", `${place} gave no token`);
      return { token, seconds: parsed.data?.expires_in ?? DEFAULT_SECONDS };
    });
  }
}

/** The place of tokens: over https, or on the machine of a registry that is itself spoken to in the clear. */
function realmOf(realm: string | undefined, registry: URL): URL {
  const url = URL.parse(realm ?? "");
  const isOwn = url?.protocol === registry.protocol && url.hostname === registry.hostname;
  if (url === null || !(url.protocol === "https:" || isOwn))
    throw new OciError(
      "OCI_ANSWER_INVALID",
      `${registry.host} sends logins to a place that is neither https nor its own host: credentials are not told there`,
    );
  return url;
}

const basic = ({ username, password }: Extract<Credentials, { username: string }>): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
