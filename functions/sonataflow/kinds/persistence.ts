import * as z from "zod";

const secretRef = z.object({
  name: z.string().describe("Name of the Secret, in the namespace of whoever connects."),
  userKey: z.string().describe("Key of the user's name. Default: POSTGRESQL_USER.").optional(),
  passwordKey: z.string().describe("Key of the password. Default: POSTGRESQL_PASSWORD.").optional(),
});

const database = {
  name: z.string().describe("Name of the database's Service."),
  namespace: z
    .string()
    .describe("Namespace of that Service. Default: the namespace of the platform.")
    .optional(),
  port: z.int().describe("Port of that Service. Default: 5432.").optional(),
  databaseName: z.string().describe("Name of the database. Default: sonataflow.").optional(),
};

const jdbcUrl = z
  .string()
  .describe("Address of the database, used as it is. Excludes serviceRef.")
  .optional();

/** A PostgreSQL database: its credentials, and either its Service or its address. */
const postgresql = z
  .object({
    secretRef: secretRef.describe("Credentials. They are referenced, never read."),
    serviceRef: z
      .object({
        ...database,
        databaseSchema: z.string().describe("Schema. Default: the name of whoever connects.").optional(),
      })
      .describe("Service of the database. Excludes jdbcUrl.")
      .optional(),
    jdbcUrl,
  })
  .meta({ minProperties: 2, maxProperties: 2 });

/** The store of one service's or workflow's state. */
export const persistence = z
  .object({
    postgresql: postgresql.describe("A PostgreSQL database.").optional(),
    migrateDBOnStartUp: z.boolean().describe("Accepted and kept; it has no effect.").optional(),
  })
  .meta({ maxProperties: 2 });

/** The database of everything in the namespace that names none of its own. It has no schema: that follows from who connects. */
export const platformPersistence = z
  .object({
    postgresql: z
      .object({
        secretRef: secretRef.describe("Credentials. They are referenced, never read."),
        serviceRef: z.object(database).describe("Service of the database. Excludes jdbcUrl.").optional(),
        jdbcUrl,
      })
      .meta({ minProperties: 2, maxProperties: 2 })
      .describe("A PostgreSQL database.")
      .optional(),
  })
  .meta({ maxProperties: 1 });

/** A PostgreSQL database, of a service's own or of the platform. */
export type Postgresql = z.output<typeof postgresql>;
