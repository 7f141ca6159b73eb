import type { EnvVar } from "../../../../shared/kube/schema/env.ts";
import type { Platform, Postgresql } from "../../kinds/index.ts";

/** A database with everything that connects to it knows. */
export interface Database {
  readonly postgresql: Postgresql;
  /** The namespace where nothing else is said. */
  readonly namespace: string;
  readonly schema: string;
}

/** The database of a service: its own, else the platform's; also where it has `persistence` without one (5.10). */
export function databaseOfService(
  platform: Platform,
  own: { readonly postgresql?: Postgresql | undefined } | undefined,
  schema: string,
): Database | undefined {
  const postgresql = own?.postgresql ?? platform.spec?.persistence?.postgresql;
  return postgresql === undefined
    ? undefined
    : { postgresql, namespace: platform.metadata.namespace, schema };
}

const addressOf = ({ postgresql: { serviceRef }, namespace, schema }: Database) => {
  if (serviceRef === undefined) return undefined;
  const host = `${serviceRef.name}.${serviceRef.namespace || namespace}`;
  const database = serviceRef.databaseName || "sonataflow";
  return {
    url: `postgresql://${host}:${serviceRef.port ?? 5432}/${database}`,
    schema: serviceRef.databaseSchema || schema,
  };
};

/** `jdbc:postgresql://host.namespace:port/database?currentSchema=schema`; a given `jdbcUrl` as it is. */
export function jdbcUrl(database: Database): string {
  const address = addressOf(database);
  return address === undefined
    ? (database.postgresql.jdbcUrl ?? "")
    : `jdbc:${address.url}?currentSchema=${address.schema}`;
}

/** A name or an address, and a port that is a number. */
const HOST = /^(?:[^\s:[\]]+|\[[0-9a-fA-F:.]+\])(?::\d{0,5})?$/;

/** The same database for a reactive client, or why its address cannot be told. */
export function reactiveUrl(database: Database): { readonly url: string } | { readonly problem: string } {
  const address = addressOf(database);
  if (address !== undefined) return { url: `${address.url}?search_path=${address.schema}` };
  const given = (database.postgresql.jdbcUrl ?? "").replace(/^(jdbc:)+/, "");
  const parts =
    /^([a-z][a-z0-9+.-]*):\/\/(?:([^/?#@]*)@)?([^/?#@]+)?(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/i.exec(given);
  const [, scheme, credentials, host, path = "", query = ""] = parts ?? [];
  const decodable = query.replaceAll(/%[0-9a-f]{2}/gi, "");
  const isHost = host === undefined ? path.length > 1 : HOST.test(host);
  if (scheme === undefined || !isHost || decodable.includes("%"))
    // The address may hold a password: it is not repeated.
    return {
      problem:
        "persistence.postgresql.jdbcUrl is no address of the form jdbc:postgresql://host:port/database",
    };
  const user = /^[^:]+:/.test(credentials ?? "") ? `${credentials}@` : "";
  const asked = new URLSearchParams(query);
  const schema = asked.has("search_path") ? asked.get("search_path") : asked.get("currentSchema");
  return { url: `${scheme}://${user}${host ?? ""}${path}${schema ? `?search_path=${schema}` : ""}` };
}

/** The environment of whoever connects. Credentials are referenced, never read. */
export function databaseEnv(database: Database): EnvVar[] {
  const { secretRef } = database.postgresql;
  const secret = (name: string, key: string): EnvVar => ({
    name,
    valueFrom: { secretKeyRef: { name: secretRef.name, key } },
  });
  return [
    secret("QUARKUS_DATASOURCE_USERNAME", secretRef.userKey || "POSTGRESQL_USER"),
    secret("QUARKUS_DATASOURCE_PASSWORD", secretRef.passwordKey || "POSTGRESQL_PASSWORD"),
    { name: "QUARKUS_DATASOURCE_DB_KIND", value: "postgresql" },
    { name: "QUARKUS_DATASOURCE_JDBC_URL", value: jdbcUrl(database) },
    { name: "KOGITO_PERSISTENCE_TYPE", value: "jdbc" },
  ];
}
