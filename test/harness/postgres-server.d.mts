/** A server with the superuser `postgres`, on loopback and on a socket in its folder. */
export interface PostgresServer {
  /** Where it listens now. */
  readonly port: number;
  readonly folder: string;
  /** The folder of its binaries. */
  readonly home: string;
  readonly password: string;
  log(): string;
  run(sql: string, database?: string): Promise<readonly Readonly<Record<string, string | null>>[]>;
  /** Ends it without a word to any client. */
  kill(): Promise<void>;
  /** Starts it again, on another port if something else has taken its own. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Whether a server can run on this machine. */
export function hasPostgres(): Promise<boolean>;

/** Starts a server with a new, empty cluster in a folder of its own. */
export function startPostgres(options?: {
  /** Whether commits are synced to the disk. */
  readonly isDurable?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** Files in the folder of the cluster, such as `pg_hba.conf`. */
  readonly files?: Readonly<Record<string, string>>;
}): Promise<PostgresServer>;
