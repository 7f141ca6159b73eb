/** Folders and archives that commands read and write. For commands alone: no function knows it. */
export interface Folders {
  /**
   * The files below a folder by their paths, those that are wanted.
   * @throws CliError that names the folder
   */
  read(folder: string, isWanted: (path: string) => boolean): Promise<ReadonlyMap<string, Uint8Array>>;
  /** True for a folder that is there. */
  has(folder: string): Promise<boolean>;
  /**
   * Writes files to a folder of its own, in their order. Nothing that is there is replaced.
   * @throws CliError where one is there already
   */
  save(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** A .tgz of files, the same bytes for the same files. */
  pack(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array>;
}
