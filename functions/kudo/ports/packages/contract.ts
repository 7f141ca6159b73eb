/** The files of a package where it lies, nothing of them read as YAML yet. */
export interface PackageSource {
  /** The place where it lies, as it was asked for. */
  readonly place: string;
  /** The files by their paths below the package's folder, `/` between folders. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /**
   * The package that a task of this one names: a path relative to it, or a place of its own.
   * @throws PackageError
   */
  child(place: string): Promise<PackageSource>;
}

/** Packages and the other files that commands read and write. For commands alone: no function knows it. */
export interface Packages {
  /**
   * Opens a package: a folder, a .tgz, or the URL of one.
   * @throws PackageError `KUDO_PACKAGE_UNREADABLE` that says what is wrong with the place
   */
  open(place: string): Promise<PackageSource>;
  /** The .tgz of a folder with all that lies in it, packages of children too; the same bytes for the same files. @throws PackageError */
  pack(folder: string): Promise<Uint8Array>;
  /** The text of a file. @throws PackageError */
  text(path: string): Promise<string>;
  /**
   * Writes files below a folder, which is made. Names what it wrote.
   * @throws PackageError where one is there already and may not be overwritten
   */
  save(
    folder: string,
    files: ReadonlyMap<string, Uint8Array | string>,
    options?: { readonly overwrite?: boolean },
  ): Promise<readonly string[]>;
}
