import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outlineOf, settingsSchema, withTables } from "../settings/index.ts";

// Writes the tables of docs/configuration.md anew: run it when a setting changed.
const page = join(import.meta.dirname, "../../docs/configuration.md");
writeFileSync(page, withTables(readFileSync(page, "utf8"), outlineOf(settingsSchema([]))));
