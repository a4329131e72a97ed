/** A file of the repository that is made from others, as it should be. */
export interface GeneratedFile {
  /** its absolute path */
  file: string;
  text: string;
}
