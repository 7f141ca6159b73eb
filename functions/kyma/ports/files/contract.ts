/** Files and folders that commands are given by name. For commands alone: no function knows them. */
export interface Files {
  /**
   * The text of a file, of 4 MiB at most.
   * @throws CliError that names the file
   */
  text(path: string): Promise<string>;
  /**
   * The paths of the files in a folder and below it, in order: 10,000 at most.
   * @throws CliError that names the folder
   */
  within(path: string): Promise<readonly string[]>;
  /**
   * Makes a folder where there is none.
   * @throws CliError that names the folder
   */
  folder(path: string): Promise<void>;
}
