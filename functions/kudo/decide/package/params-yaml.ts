import type { ValueType } from "../../kinds/index.ts";
import type { PackageValue } from "../parameters/index.ts";
import { present, readApiVersion } from "./operator-yaml.ts";
import type { Place, YamlFile } from "./yaml-file.ts";

/** One parameter as params.yaml declares it. */
export interface PackageParameter {
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  /** True where the file does not say. */
  readonly required: boolean;
  /** False where the file does not say. */
  readonly immutable: boolean;
  readonly default?: PackageValue;
  readonly trigger?: string;
  readonly type?: ValueType;
  readonly enum?: readonly PackageValue[];
  /** For people who fill in a form; nothing of it reaches the cluster. */
  readonly group?: string;
  readonly advanced?: boolean;
  readonly hint?: string;
}

/** A group of parameters, for people who fill in a form. */
export interface ParameterGroup {
  readonly name: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly prio?: number;
}

/** The content of params.yaml. */
export interface ParamsFile {
  readonly groups: readonly ParameterGroup[];
  readonly parameters: readonly PackageParameter[];
}

/** Reads params.yaml; what is wrong stands in the file's faults. */
export function readParams(file: YamlFile): ParamsFile {
  readApiVersion(file);
  file.map(file.root);
  return {
    groups: (file.list(file.field(file.root, "groups")) ?? []).map((place) => {
      const text = (name: string): string | undefined => file.text(file.field(place, name));
      return {
        name: text("name") ?? "",
        ...present({
          displayName: text("displayName"),
          description: text("description"),
          prio: file.integer(file.field(place, "prio")),
        }),
      };
    }),
    parameters: (file.list(file.field(file.root, "parameters")) ?? []).map((place) =>
      readParameter(file, place),
    ),
  };
}

function readParameter(file: YamlFile, place: Place): PackageParameter {
  const text = (name: string): string | undefined => file.text(file.field(place, name));
  const truth = (name: string): boolean | undefined => file.truth(file.field(place, name));
  return {
    name: text("name") ?? "",
    required: truth("required") ?? true,
    immutable: truth("immutable") ?? false,
    ...present({
      displayName: text("displayName"),
      description: text("description"),
      default: file.value(file.field(place, "default")),
      trigger: text("trigger"),
      // Which types there are, verifying tells.
      type: text("type") as ValueType | undefined,
      enum: file.list(file.field(place, "enum"))?.map((one) => file.value(one) ?? { value: null }),
      group: text("group"),
      advanced: truth("advanced"),
      hint: text("hint"),
    }),
  };
}
