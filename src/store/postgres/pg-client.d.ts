// The part of the driver that is used; its main module would load a pool as well.
declare module "pg/lib/client.js" {
  import type { EventEmitter } from "node:events";
  import type { Socket } from "node:net";
  import type { ConnectionOptions } from "node:tls";

  interface ClientConfig {
    readonly host: string;
    readonly port: number;
    readonly database: string;
    readonly user: string;
    readonly password: () => string;
    readonly ssl: ConnectionOptions | false;
    readonly sslnegotiation: "postgres";
    readonly application_name: string;
    readonly options?: string;
    readonly client_encoding: "UTF8";
    readonly keepAlive: boolean;
    readonly types: { getTypeParser(): (text: string) => unknown };
  }

  interface QueryConfig {
    readonly text: string;
    readonly values?: readonly unknown[];
  }

  export default class Client extends EventEmitter {
    constructor(config: ClientConfig);
    readonly connection: EventEmitter & {
      readonly stream: Socket;
      attachListeners(stream: Socket): void;
      end(): void;
    };
    connect(): Promise<unknown>;
    query(query: QueryConfig): Promise<{ readonly rows?: readonly Readonly<Record<string, unknown>>[] }>;
  }
}
