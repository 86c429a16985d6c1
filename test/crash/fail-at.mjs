/**
 * Preloaded into a process of the command line: fails one kind of call on files below a folder (of openings and closings only those of what is written).
 * `FAIL_CALL=writeSync FAIL_AT=N FAIL_CODE=ENOSPC FAIL_BELOW=DIR`; with `FAIL_ON=1` all such calls from the Nth on.
 * With `FAIL_CODE=HANG` the call never ends, as on a disk over the network that is away.
 * How many there were is printed on standard error when the process ends.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { constants } from "node:os";

const { FAIL_CALL = "", FAIL_AT = "1", FAIL_CODE = "EIO", FAIL_BELOW = "/", FAIL_ON } = process.env;
const at = Number(FAIL_AT);
const original = fs[FAIL_CALL];
let calls = 0;

const isBelow = (file) => {
  if (typeof file === "string") return file.startsWith(FAIL_BELOW);
  try {
    return fs.readlinkSync(`/proc/self/fd/${file}`).startsWith(FAIL_BELOW);
  } catch {
    return false;
  }
};

const failure = () =>
  Object.assign(new Error(`${FAIL_CODE}: made to fail, ${FAIL_CALL}`), {
    code: FAIL_CODE,
    errno: -constants.errno[FAIL_CODE],
    syscall: FAIL_CALL,
  });

const writes = (flags) =>
  typeof flags === "number"
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : /[aw]/.test(flags);

// Its flags are octal.
const isOpenToWrite = (fd) => /^flags:\s*\d*[12]$/m.test(fs.readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"));

const fails = (file, flags) => {
  if (!isBelow(file) || (FAIL_CALL === "openSync" && !writes(flags))) return false;
  if (FAIL_CALL === "closeSync" && !isOpenToWrite(file)) return false;
  calls++;
  return FAIL_ON === undefined ? calls === at : calls >= at;
};

fs[FAIL_CALL] = (file, ...rest) => {
  const fault = fails(file, rest[0]) ? failure() : undefined;
  const done = rest.at(-1);
  // The timer keeps the process waiting for what never ends.
  if (fault && FAIL_CODE === "HANG") return setInterval(() => undefined, 1000);
  if (fault && typeof done === "function") return setImmediate(done, fault);
  if (fault) {
    // A full disk may have taken a part.
    if (FAIL_CALL === "writeSync") original(file, Buffer.from(rest[0]).subarray(0, 9));
    throw fault;
  }
  return original(file, ...rest);
};
syncBuiltinESMExports();
process.once("exit", () => fs.writeFileSync(2, `calls: ${calls}\n`));
