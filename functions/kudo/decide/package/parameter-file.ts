import { wireText } from "../parameters/index.ts";
import { invalidPackage } from "./errors.ts";
import { YamlFile } from "./yaml-file.ts";

/**
 * The parameters of a file: a map of names to values, lists and maps among them.
 * @throws PackageError with the place of each fault
 */
export function parameterFile(path: string, text: string): ReadonlyMap<string, string> {
  const file = new YamlFile(path, text);
  const entries = file.faults.length > 0 ? [] : (file.map(file.root) ?? []);
  const values = new Map<string, string>();
  for (const [name, place] of entries) {
    const value = file.value(place);
    const wired = value && wireText(value);
    if (wired === undefined) file.fault(place, "a parameter has no value of null: leave it out");
    else values.set(name, wired);
  }
  if (file.faults.length > 0) throw invalidPackage(file.faults);
  return values;
}
