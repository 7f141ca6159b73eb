import { ReveilleError } from "../../../../shared/errors.ts";

/** A fault in a package: a value, so that all are told at once. */
export interface PackageFault {
  /** The file in the package. */
  readonly file: string;
  /** Counted from 1; absent where the fault is about the file as a whole. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** `operator.yaml:12:5: …`, as compilers write it. */
export const faultText = ({ file, line, column, message }: PackageFault): string =>
  `${[file, line, column].filter((part) => part !== undefined).join(":")}: ${message}`;

/** A package that cannot be read, or holds what no package may. */
export class PackageError extends ReveilleError {
  readonly faults: readonly PackageFault[];
  constructor(
    code: PackageErrorCode,
    message: string,
    faults: readonly PackageFault[] = [],
    cause?: unknown,
  ) {
    super(code, message, { cause });
    this.faults = faults;
  }
}

export type PackageErrorCode = "KUDO_PACKAGE_INVALID" | "KUDO_PACKAGE_UNREADABLE";

/** The error of a package with faults. */
export const invalidPackage = (faults: readonly PackageFault[]): PackageError =>
  new PackageError("KUDO_PACKAGE_INVALID", faults.map(faultText).join("\n"), faults);
