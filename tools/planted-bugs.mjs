// Plants bugs in a copy of the sources, one at a time, and says whether the tests catch each.
// A bug that no test catches, or that no longer fits the sources, fails the run.
//
//   ./run planted [NUMBER...]

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const COPY = path.join(ROOT, "target", "planted");
const CLASSIC = "src/kafka/broker/group/classic";
/** What catches them: the coordinator's tables, and random scenarios of whole worlds. The quick ones first. */
const TESTS = ["coordinator", "world"];
const LIMIT_MS = 1_800_000;

const BUGS = [
  ["a heartbeat does not restart the session", `${CLASSIC}/heartbeat.rs`, "        self.restart_session(&request.member_id, desk);\n", ""],
  ["a heartbeat does not tell of a rebalance", `${CLASSIC}/heartbeat.rs`, "=> ErrorCode::RebalanceInProgress", "=> ErrorCode::None"],
  ["a join phase does not raise the generation", `${CLASSIC}/rebalance.rs`, "self.generation = next(self.generation);\n        self.protocol = self", "self.protocol = self"],
  ["a join phase does not restart sessions", `${CLASSIC}/rebalance.rs`, "            self.restart_session(&id, desk);\n", ""],
  ["static members are thrown out with those who did not join", `${CLASSIC}/rebalance.rs`, " && member.group_instance_id.is_none()", ""],
  ["a pending id does not hold up the join", `${CLASSIC}/mod.rs`, "self.pending_joins.is_empty() && ", ""],
  ["a fenced instance is not refused", `${CLASSIC}/mod.rs`, "Some(member) if member.id != *id => return Err(ErrorCode::FencedInstanceId),", ""],
  ["SyncGroup of another generation is taken", `${CLASSIC}/sync.rs`, "        if request.generation_id != self.generation {", "        if false {"],
  ["a removed member's JoinGroup is never answered", `${CLASSIC}/expiry.rs`, "        self.answer_join_of_removed(id, desk);\n", ""],
  ["a returning leader is not told to skip the assignment", `${CLASSIC}/static_member.rs`, "response.skip_assignment = true", "response.skip_assignment = false"],
  ["a commit does not restart the session", "src/kafka/broker/offsets.rs", "                group.restart_session(&request.member_id, desk);\n", ""],
  ["commits are taken while the assignment is awaited", "src/kafka/broker/offsets.rs", "GroupState::CompletingRebalance => Err(ErrorCode::RebalanceInProgress)", "GroupState::CompletingRebalance => Ok(())"],
];

/** `caught` and by which tests, `survived` or `does not compile`. */
function verdict() {
  const env = { ...process.env, CARGO_TARGET_DIR: path.join(ROOT, "target", "planted-build") };
  const cargo = (...given) =>
    spawnSync("cargo", ["test", "--locked", "--quiet", ...given], { cwd: COPY, env, encoding: "utf8", timeout: LIMIT_MS });
  for (const test of TESTS) {
    if (cargo("--no-run", "--test", test).status !== 0) return { said: "does not compile", by: [] };
    const run = cargo("--test", test);
    if (run.status === 0) continue;
    // A test that hangs has noticed, too.
    const failed = [...(run.stdout ?? "").matchAll(/^    (\S+::\S+|\w+)$/gm)].map((found) => `${test}: ${found[1]}`);
    return { said: "caught", by: failed.length > 0 ? [...new Set(failed)] : [`${test}: no end`] };
  }
  return { said: "survived", by: [] };
}

rmSync(COPY, { recursive: true, force: true });
mkdirSync(COPY, { recursive: true });
for (const name of ["Cargo.toml", "Cargo.lock", "src", "tests", "benches", "static"]) {
  cpSync(path.join(ROOT, name), path.join(COPY, name), { recursive: true });
}

const wanted = process.argv.slice(2).map(Number);
const found = { caught: 0, missed: 0 };
for (const [index, [what, file, from, to]] of BUGS.entries()) {
  const number = index + 1;
  if (wanted.length > 0 && !wanted.includes(number)) continue;
  const source = readFileSync(path.join(COPY, file), "utf8");
  let found_out = { said: "does not fit the sources any more", by: [] };
  if (source.includes(from)) {
    writeFileSync(path.join(COPY, file), source.replace(from, to));
    found_out = verdict();
    writeFileSync(path.join(COPY, file), source);
  }
  found[found_out.said === "caught" ? "caught" : "missed"] += 1;
  console.log(`${String(number).padStart(2)} ${found_out.said}: ${what}`);
  for (const test of found_out.by) console.log(`     by ${test}`);
}
console.log(`${found.caught} caught, ${found.missed} not`);
process.exitCode = found.missed === 0 ? 0 : 1;
