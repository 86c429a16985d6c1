/** The places where a state can be, each with what an administrator can do there: take a backup, put it back, empty it. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { hasPostgres, startPostgres } from "../../harness/postgres-server.mjs";

/** The servers of a night, and a store for each round. */
export class Servers {
  async start(wanted) {
    this.http = await listen(httpState());
    this.s3 = await listen(bucket());
    if (wanted.includes("postgres") && (await hasPostgres())) this.postgres = await startPostgres();
  }

  has(name) {
    return name !== "postgres" || this.postgres !== undefined;
  }

  /** A store of its own for a round; `world` has the folders. */
  store(name, world) {
    return stores[name](this, world);
  }

  async stop() {
    for (const each of [this.http, this.s3]) each.server.close(each.server.closeAllConnections());
    await this.postgres?.stop();
  }
}

const stores = {
  file: (_, world) => ({
    name: "file",
    spec: { store: "file" },
    backup() {
      const kept = join(world.folder, `backup-${world.number()}`);
      mkdirSync(kept);
      for (const name of lockFiles(world.home)) cpSync(join(world.home, name), join(kept, name));
      return kept;
    },
    restore(kept) {
      this.empty();
      for (const name of lockFiles(kept)) cpSync(join(kept, name), join(world.home, name));
    },
    empty() {
      for (const name of lockFiles(world.home)) rmSync(join(world.home, name));
    },
  }),

  git: (_, world) => ({
    name: "git",
    spec: { store: "git" },
    backup: () => refs(world.remote),
    restore(kept) {
      this.empty();
      for (const [ref, commit] of kept) git(world.remote, "update-ref", ref, commit);
    },
    empty() {
      for (const [ref] of refs(world.remote)) git(world.remote, "update-ref", "-d", ref);
    },
  }),

  http: ({ http }, world) => {
    const prefix = `/${world.name}/`;
    return inMemory("http", http.states, prefix, {
      store: "http",
      address: `http://127.0.0.1:${http.port}${prefix}desk`,
      username: "robot",
      password: "${env:STATE_PASSWORD}",
    });
  },

  s3: ({ s3 }, world) => {
    const isVersioned = world.dice.chance(0.5);
    const prefix = `/night/${isVersioned ? "versioned-" : ""}${world.name}/`;
    return inMemory("s3", s3.states, prefix, {
      store: "s3",
      endpoint: `http://127.0.0.1:${s3.port}`,
      bucket: "night",
      key: `${prefix.slice("/night/".length)}desk.json`,
      region: "auto",
      // What a machine has for AWS goes to no address that a manifest chooses.
      access_key_id: "${env:AWS_ACCESS_KEY_ID}",
      secret_access_key: "${env:AWS_SECRET_ACCESS_KEY}",
    });
  },

  postgres: ({ postgres }, world) => {
    const schema = `s_${world.name.replaceAll("-", "_")}`;
    const tables = ["states", "locks", "journal"];
    return {
      name: "postgres",
      spec: { store: "postgres", url: "${env:DATABASE_URL}", schema },
      env: { DATABASE_URL: `postgres://postgres:${postgres.password}@127.0.0.1:${postgres.port}/postgres` },
      async backup() {
        const kept = {};
        for (const table of tables) {
          const [row] = await postgres.run(
            `select coalesce(json_agg(t), '[]')::text as all from "${schema}".${table} t`,
          );
          kept[table] = row.all;
        }
        return kept;
      },
      async restore(kept) {
        await this.empty();
        for (const table of tables) {
          const rows = `json_populate_recordset(null::"${schema}".${table}, $night$${kept[table]}$night$)`;
          await postgres.run(`insert into "${schema}".${table} select * from ${rows}`);
        }
      },
      async empty() {
        for (const table of tables) await postgres.run(`delete from "${schema}".${table}`);
      },
    };
  },
};

export const storeNames = Object.keys(stores);

function lockFiles(folder) {
  return readdirSync(folder).filter((name) => /^agentform.*\.lock(\.journal)?$/.test(name));
}

export function git(folder, ...words) {
  return execFileSync("git", words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function refs(remote) {
  const lines = git(remote, "for-each-ref", "--format=%(refname) %(objectname)", "refs/agentform/").split(
    "\n",
  );
  return lines.filter((line) => line !== "").map((line) => line.split(" "));
}

/** A store whose states are in this process, by their paths. */
function inMemory(name, states, prefix, spec) {
  const ours = () => [...states].filter(([path]) => path.startsWith(prefix));
  return {
    name,
    spec,
    backup: () => structuredClone(ours()),
    restore(kept) {
      this.empty();
      for (const [path, value] of kept) states.set(path, structuredClone(value));
    },
    empty() {
      for (const [path] of ours()) states.delete(path);
    },
  };
}

async function listen({ handler, states }) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const [status, body, headers = {}] = handler(request, Buffer.concat(chunks));
    response.writeHead(status, headers).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, states, port: server.address().port };
}

/** Terraform's HTTP state protocol: GET, POST, DELETE, LOCK and UNLOCK on one address. */
function httpState() {
  const states = new Map();
  const handler = (request, body) => {
    const url = new URL(request.url, "http://x");
    if (request.headers.authorization !== `Basic ${Buffer.from("robot:night").toString("base64")}`)
      return [401, ""];
    const state = states.get(url.pathname) ?? { lock: undefined, text: undefined };
    const json = { "content-type": "application/json" };
    const id =
      body.length > 0 && request.method.endsWith("LOCK") ? JSON.parse(body.toString()).ID : undefined;
    switch (request.method) {
      case "GET":
        return state.text === undefined ? [404, ""] : [200, state.text, json];
      case "LOCK":
        if (state.lock !== undefined && JSON.parse(state.lock).ID !== id) return [423, state.lock, json];
        states.set(url.pathname, { ...state, lock: body.toString() });
        return [200, ""];
      case "UNLOCK":
        if (state.lock !== undefined && id !== undefined && JSON.parse(state.lock).ID !== id)
          return [409, state.lock, json];
        states.set(url.pathname, { ...state, lock: undefined });
        return [200, ""];
      case "POST": {
        const md5 = request.headers["content-md5"];
        if (md5 !== undefined && createHash("md5").update(body).digest("base64") !== md5) return [400, ""];
        const held = state.lock === undefined ? undefined : JSON.parse(state.lock).ID;
        if (held !== (url.searchParams.get("ID") ?? undefined)) return [409, state.lock ?? "", json];
        states.set(url.pathname, { ...state, text: body.toString() });
        return [200, ""];
      }
      case "DELETE":
        states.delete(url.pathname);
        return [200, ""];
      default:
        return [405, ""];
    }
  };
  return { handler, states };
}

/** A bucket with conditional writes; a key that begins with `versioned-` keeps its versions. */
function bucket() {
  const states = new Map();
  const xml = { "content-type": "application/xml" };
  const error = (status, code) => [
    status,
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
    xml,
  ];
  const tag = (body) => `"${createHash("md5").update(body).digest("hex")}"`;
  const handler = (request, body) => {
    const url = new URL(request.url, "http://x");
    if (request.headers.authorization === undefined) return error(403, "AccessDenied");
    if (url.searchParams.has("versions")) return versions(url.searchParams.get("prefix") ?? "");
    const state = states.get(url.pathname);
    const asked = url.searchParams.get("versionId");
    const shown = asked === null ? state?.at(-1) : state?.find((each) => each.version === asked);
    if (request.method === "GET")
      return shown === undefined
        ? error(404, "NoSuchKey")
        : [200, shown.text, { etag: tag(shown.text), "x-amz-version-id": shown.version }];
    if (request.method !== "PUT") return error(405, "MethodNotAllowed");
    const ifMatch = request.headers["if-match"];
    if (request.headers["if-none-match"] === "*" && state !== undefined)
      return error(412, "PreconditionFailed");
    if (ifMatch !== undefined && state === undefined) return error(404, "NoSuchKey");
    if (ifMatch !== undefined && ifMatch !== tag(state.at(-1).text)) return error(412, "PreconditionFailed");
    const text = body.toString();
    const made = {
      text,
      at: new Date().toISOString(),
      version: `v${Date.now()}-${states.size}-${state?.length ?? 0}`,
    };
    states.set(url.pathname, url.pathname.includes("versioned-") ? [...(state ?? []), made] : [made]);
    return [200, "", { etag: tag(text), "x-amz-version-id": made.version }];
  };
  const versions = (prefix) => {
    if (!prefix.includes("versioned-")) return error(501, "NotImplemented");
    const all = [...states].flatMap(([path, list]) =>
      list.map((each, i) => ({ ...each, key: path.slice("/night/".length), last: i === list.length - 1 })),
    );
    const entries = all
      .filter((each) => each.key.startsWith(prefix))
      .toReversed()
      .map(
        (each) =>
          `<Version><Key>${each.key}</Key><VersionId>${each.version}</VersionId><IsLatest>${each.last}</IsLatest><LastModified>${each.at}</LastModified><ETag>${tag(each.text)}</ETag><Size>${each.text.length}</Size></Version>`,
      );
    return [
      200,
      `<?xml version="1.0"?><ListVersionsResult><Name>night</Name><Prefix>${prefix}</Prefix><IsTruncated>false</IsTruncated>${entries.join("")}</ListVersionsResult>`,
      xml,
    ];
  };
  return { handler, states };
}
