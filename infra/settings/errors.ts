import { ReveilleError } from "../../shared/errors.ts";

/** The fault of one setting. */
export interface SettingFault {
  /** `bus.embedded.file`; empty for the whole. */
  readonly path: string;
  /** `reveille.yaml:12`, the variable's name, or the flag. */
  readonly place: string;
  readonly message: string;
}

/** Settings that do not fit; each fault has its place. */
export class SettingsError extends ReveilleError {
  readonly faults: readonly SettingFault[];
  constructor(faults: readonly SettingFault[], cause?: unknown) {
    super("SETTINGS_INVALID", faults.map(faultText).join("\n"), { cause });
    this.faults = faults;
  }
}

export const faultText = ({ path, place, message }: SettingFault): string =>
  `${place}: ${path === "" ? "" : `${path}: `}${message}`;
