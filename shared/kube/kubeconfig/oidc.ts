import type { Clock } from "../../clock/clock.ts";
import { messageOf } from "../../errors.ts";
import type { Credentials } from "../http/connection.ts";
import { KubeconfigError } from "./errors.ts";
import { pathBeside } from "./files.ts";
import { renewable } from "./renewable.ts";
import { tokenEnd } from "./token-end.ts";

/** Now where it does not say. */
function endOf(token: string, now: number): number {
  try {
    return tokenEnd(token) ?? now;
  } catch (error) {
    throw new KubeconfigError(
      "KUBECONFIG_OIDC_FAILED",
      "The id-token of the kubeconfig is no JSON web token: log in again",
      { cause: error },
    );
  }
}

/** The old `auth-provider: oidc`: its id-token, refreshed at the identity provider through client-node, which is loaded only here. */
export function oidcCredentials(
  config: Readonly<Record<string, string>>,
  file: string,
  clock: Clock,
): Credentials {
  const authority = config["idp-certificate-authority"];
  // client-node writes refreshed tokens into it.
  const own = {
    ...config,
    ...(authority === undefined ? {} : { "idp-certificate-authority": pathBeside(file, authority) }),
  };
  return renewable(async () => {
    const { OpenIDConnectAuth } = await import("@kubernetes/client-node/dist/oidc_auth.js");
    const options: { headers: Record<string, string> } = { headers: {} };
    try {
      await new OpenIDConnectAuth().applyAuthentication(
        { name: "oidc", authProvider: { name: "oidc", config: own } },
        options,
      );
    } catch (error) {
      throw new KubeconfigError(
        "KUBECONFIG_OIDC_FAILED",
        `The identity provider gave no token (${messageOf(error)}): log in again`,
        { cause: error },
      );
    }
    const authorization = options.headers.Authorization;
    if (authorization === undefined)
      throw new KubeconfigError(
        "KUBECONFIG_OIDC_FAILED",
        "The id-token has expired and there is nothing to refresh it with (client-id, refresh-token and idp-issuer-url): log in again",
      );
    return {
      credential: { authorization },
      expires: endOf(authorization.slice("Bearer ".length), clock.now()),
    };
  }, clock);
}
