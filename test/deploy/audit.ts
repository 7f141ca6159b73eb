import { readFileSync } from "node:fs";

/** What the API server wrote down of one request. */
interface AuditEvent {
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** One right that somebody used. */
export interface Use {
  /** Of the ServiceAccount. */
  readonly account: string;
  readonly group: string;
  /** With its subresource: `deployments/status`. */
  readonly resource: string;
  readonly verb: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly allowed: boolean;
}

const ACCOUNT = "system:serviceaccount:";

/** What ServiceAccounts did, as the audit log of a stopped or idle server tells. */
export function usesIn(auditLog: string): readonly Use[] {
  return readFileSync(auditLog, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const { verb, user, objectRef, responseStatus, annotations } = JSON.parse(line) as AuditEvent;
      if (objectRef === undefined || !user.username.startsWith(ACCOUNT)) return [];
      const { apiGroup: group = "", resource, subresource, namespace, name } = objectRef;
      const use: Use = {
        account: user.username.slice(ACCOUNT.length).replace(/^[^:]*:/, ""),
        group,
        resource: subresource === undefined ? resource : `${resource}/${subresource}`,
        verb,
        namespace,
        name,
        // A 403 may also be the word of an admission plugin, of one on a namespace that is being deleted.
        allowed: annotations?.["authorization.k8s.io/decision"] !== "forbid",
      };
      // An apply that creates is written down as a patch, and needs both.
      return verb === "patch" && responseStatus?.code === 201 ? [use, { ...use, verb: "create" }] : [use];
    });
}
