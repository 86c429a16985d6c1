// A whole Ceph with an S3 gateway, for one test file: a monitor, a store in memory, and the gateway.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { freePort } from "../harness/free-port.mjs";

/** The programs of Debian's packages ceph-mon, ceph-osd and radosgw. */
export const cephPrograms = ["ceph-mon", "ceph-osd", "radosgw"];

/** The gateway of a running Ceph. */
export interface Ceph {
  readonly origin: string;
  readonly id: string;
  readonly secret: string;
  /** Makes a bucket. */
  makeBucket(name: string, isVersioned: boolean): Promise<void>;
  close(): void;
}

/** Starts a Ceph, which takes half a minute. */
export async function startCeph(): Promise<Ceph> {
  const folder = mkdtempSync(join(tmpdir(), "agentform-ceph-"));
  const [monitor, monitorV1] = [await freePort(), await freePort()];
  const fsid = randomUUID();
  const file = join(folder, "ceph.conf");
  const plain = ["mon client", "mon service", "mon cluster", "client", "service", "cluster"];
  writeFileSync(
    file,
    `[global]
fsid = ${fsid}
mon host = [v2:127.0.0.1:${monitor},v1:127.0.0.1:${monitorV1}]
auth cluster required = none
auth service required = none
auth client required = none
${plain.map((name) => `ms ${name} mode = crc\n`).join("")}osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
osd crush chooseleaf type = 0
mon allow pool size one = true
mon data avail warn = 1
mon data avail crit = 0
run dir = ${folder}/run
admin socket = ${folder}/run/$name.$pid.asok
log file = ${folder}/$name.log
mon cluster log file = ${folder}/cluster.log
keyring = ${folder}/keyring
[mon.a]
mon data = ${folder}/mon
[osd.0]
osd data = ${folder}/osd
osd objectstore = memstore
memstore device bytes = 2147483648
public addr = 127.0.0.1
cluster addr = 127.0.0.1
`,
  );
  for (const name of ["run", "mon", "osd"]) mkdirSync(join(folder, name));
  const running: ChildProcess[] = [];
  const once = (program: string, ...args: string[]): void => {
    const { status, stderr } = spawnSync(program, args, { encoding: "utf8", cwd: folder });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
  };
  const ceph = (program: string, ...args: string[]): void => once(program, "-c", file, ...args);
  const start = (program: string, ...args: string[]): void => {
    running.push(spawn(program, ["-c", file, ...args, "-f"], { cwd: folder, stdio: "ignore" }));
  };
  const close = (): void => {
    for (const child of running) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const addresses = `[v2:127.0.0.1:${monitor},v1:127.0.0.1:${monitorV1}]`;
    once("monmaptool", "--create", "--fsid", fsid, "--addv", "a", addresses, "monmap");
    once(
      "ceph-authtool",
      "--create-keyring",
      "keyring",
      "--gen-key",
      "-n",
      "mon.",
      "--cap",
      "mon",
      "allow *",
    );
    const all = ["mon", "osd", "mgr"].flatMap((name) => ["--cap", name, "allow *"]);
    once("ceph-authtool", "keyring", "--gen-key", "-n", "client.admin", ...all);
    ceph("ceph-mon", "--mkfs", "-i", "a", "--monmap", "monmap", "--keyring", "keyring");
    start("ceph-mon", "-i", "a");
    const disk = randomUUID();
    ceph("ceph", "osd", "new", disk);
    ceph("ceph-osd", "-i", "0", "--mkfs", "--osd-uuid", disk, "--no-mon-config");
    start("ceph-osd", "-i", "0");
    const gateway = await freePort();
    start("radosgw", "-n", "client.admin", "--rgw-frontends", `beast endpoint=127.0.0.1:${gateway}`);
    const [id, secret, origin] = ["AKIACEPH", "secret-of-ceph", `http://127.0.0.1:${gateway}`];
    await answering(origin);
    const user = ["--uid=test", "--display-name=test", `--access-key=${id}`, `--secret-key=${secret}`];
    ceph("radosgw-admin", "-n", "client.admin", "user", "create", ...user);
    const put = async (path: string, body = ""): Promise<void> => {
      const key = { accessKeyId: id, secretAccessKey: secret };
      const request = { method: "PUT", url: origin + path, body, service: "s3", region: "us-east-1", ...key };
      const { url, headers } = await new AwsV4Signer(request).sign();
      const { status } = await fetch(url, { method: "PUT", headers, body });
      if (status !== 200) throw new Error(`PUT ${path}: ${status}`);
    };
    const makeBucket = async (name: string, isVersioned: boolean): Promise<void> => {
      await put(`/${name}`);
      const status = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";
      if (isVersioned) await put(`/${name}?versioning`, status);
    };
    return { origin, id, secret, makeBucket, close };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

async function answering(origin: string): Promise<void> {
  while (!(await fetch(origin).catch(() => undefined))) await sleep(200);
}
