import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { nearest } from "../../events/nearest.ts";
import { messageOf } from "../../shared/errors.ts";
import type { SettingFault } from "./errors.ts";
import type { Setting, SettingPath } from "./outline.ts";

/** A setting that a variable sets. */
export interface VariableValue {
  readonly path: SettingPath;
  readonly value: unknown;
  /** The variable's name, and for `…_FILE` the file. */
  readonly place: string;
}

/** Variables of ours that are no settings. */
const OTHERS = new Set(["REVEILLE_CONFIG", "REVEILLE_DEBUG"]);
/** Kubernetes tells Pods of each Service by such names; a Service may be called reveille. */
const SERVICE_LINK = /_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT|PORT_\d+_(TCP|UDP|SCTP)(_.*)?)$/;

/**
 * The settings in the environment: `REVEILLE_…` is the value, `REVEILLE_…_FILE` names a file that holds it. Groups may be
 * given whole, as YAML or JSON; what is named more precisely counts. A fault names its variable.
 * @param isOpen a part of the settings that is not known yet: variables that begin so are left alone
 */
export function settingsFromEnvironment(
  environment: NodeJS.ProcessEnv,
  outline: readonly Setting[],
  isOpen: (variable: string) => boolean = () => false,
): { readonly values: readonly VariableValue[]; readonly faults: readonly SettingFault[] } {
  const byVariable = new Map(outline.map((setting) => [setting.variable, setting]));
  const faults: SettingFault[] = [];
  const hint = (variable: string): string => {
    const names = [...byVariable.keys()];
    const inFile = nearest(variable.replace(/_FILE$/, ""), names);
    const meant =
      nearest(variable, names) ?? (variable.endsWith("_FILE") && inFile ? `${inFile}_FILE` : undefined);
    return meant === undefined ? "" : `; did you mean ${meant}?`;
  };
  const found: VariableValue[] = [];
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith("REVEILLE_") || text === undefined || OTHERS.has(variable)) continue;
    try {
      const setting = byVariable.get(variable);
      const inFile = byVariable.get(variable.replace(/_FILE$/, ""));
      if (setting !== undefined)
        found.push({ path: setting.path, value: readValue(setting, text), place: variable });
      else if (inFile !== undefined)
        found.push({
          path: inFile.path,
          value: readValue(inFile, contentOf(inFile, text)),
          place: `${variable} (${text})`,
        });
      else if (!SERVICE_LINK.test(variable) && !isOpen(variable))
        faults.push({ path: "", place: variable, message: `there is no such setting${hint(variable)}` });
    } catch (thrown) {
      faults.push({ path: "", place: variable, message: messageOf(thrown) });
    }
  }
  return { values: found.sort((one, other) => one.path.length - other.path.length), faults };
}

/** Throws where a secret is empty: whoever takes it would refuse it, and say less. */
function contentOf({ secret }: Setting, file: string): string {
  const content = readFileSync(file, "utf8").replace(/\r?\n$/, "");
  if (secret && content.trim() === "") throw new TypeError(`${file} is empty: write the secret there`);
  return content;
}

function readValue(setting: Setting, text: string): unknown {
  switch (setting.type) {
    case "string":
      return text;
    case "number":
      // What is no number is left to the schema, which says what is wanted.
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "list":
      if (/^\s*\[/.test(text)) return parse(text);
      return text
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "");
    case "group":
    case "other":
      return parse(text);
  }
}
