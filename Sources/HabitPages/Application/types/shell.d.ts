/** What the server writes at the beginning of the service worker. */
declare const shell: {
  /** The digest of all files, which changes with each of them. */
  readonly version: string;
  /** The path of the server's public URL, such as `/habitat`; empty if it has no path. */
  readonly root: string;
  /** The paths of the views below the root. A path below one of these is a view, too. */
  readonly views: readonly string[];
  /** The paths of the files that the application needs offline. */
  readonly files: readonly string[];
};
