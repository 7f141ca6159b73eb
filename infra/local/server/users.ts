import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiUser } from "../resource-type.ts";
import type { Authenticate } from "./server.ts";

/** A user that may come in, by bearer token. */
export interface TokenUser extends ApiUser {
  readonly token: string;
  /** True once its token is refused. Default: it never is. */
  readonly isRevoked?: () => boolean;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Bearer tokens; `Impersonate-*` headers are believed, since everybody here may do everything. */
export function authenticateTokens(users: readonly TokenUser[]): Authenticate {
  const known = users.map(({ token, isRevoked = () => false, ...user }) => ({
    digest: digest(token),
    isRevoked,
    user,
  }));
  return (headers) => {
    const { authorization } = headers;
    if (typeof authorization !== "string" || !/^Bearer /i.test(authorization)) return undefined;
    const given = digest(authorization.slice("Bearer ".length).trim());
    const found = known.find((one) => timingSafeEqual(one.digest, given) && !one.isRevoked());
    if (found === undefined) return undefined;
    const username = headers["impersonate-user"];
    if (typeof username !== "string" || username === "") return withAll(found.user);
    const groups = headers["impersonate-group"];
    return withAll({
      username,
      groups: typeof groups === "string" ? groups.split(/,\s*/) : [...(groups ?? [])],
    });
  };
}
const withAll = (user: ApiUser): ApiUser => ({
  ...user,
  groups: [...new Set([...user.groups, "system:authenticated"])],
});
