/** Files that commands are given by name. For commands alone: no function knows them. */
export interface Files {
  /**
   * The text of a file, of 4 MiB at most.
   * @throws CliError that names the file
   */
  text(path: string): Promise<string>;
}
