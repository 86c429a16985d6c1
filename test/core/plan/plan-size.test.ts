import { expect, test } from "vitest";
import { checkPlanSize, checkSize } from "../../../src/core/plan/plan-size.js";
import type { Plan } from "../../../src/generated/plan.js";
import { creation } from "../apply/applying.js";

const megabyte = 1_000_000;

type Sized = Pick<Plan, "actions" | "documents" | "notes">;

function planOf(size: number): Sized {
  const action = creation("a");
  return { notes: [], actions: [{ ...action, body: { ...action.body, prompt: "x".repeat(size) } }] };
}

function messages(plan: Sized, lockLength: number): string[] {
  return [...checkSize(plan, lockLength), ...checkPlanSize(plan)].map(
    ({ code, message }) => `${code}: ${message}`,
  );
}

test("a plan whose lock would be too large is refused with the figure", () => {
  expect(messages(planOf(10 * megabyte), 380 * megabyte)).toEqual([]);
  expect(messages(planOf(20 * megabyte), 380 * megabyte)).toEqual([
    "lock-too-large: this plan would make a lock of about 411 MB, and the limit is 400 MB",
  ]);
});

test("a plan that makes too large a journal, or is too large itself, is refused", () => {
  expect(messages(planOf(170 * megabyte), 0)).toEqual([
    "lock-too-large: this plan would make a journal of about 426 MB, and the limit is 400 MB",
  ]);
  const documents = { "toolset:a": { text: "x".repeat(300 * megabyte) } };
  expect(messages({ ...planOf(0), documents }, 0)).toEqual([
    "lock-too-large: this plan would make a saved plan of about 451 MB, and the limit is 400 MB",
  ]);
  const said = { code: "x", effect: "review", address: "agent:a", message: "x", parts: {} } as const;
  const notes = [{ ...said, message: "x".repeat(300 * megabyte) }];
  expect(messages({ ...planOf(0), notes }, 0)).toEqual([
    "lock-too-large: this plan would make a saved plan of about 451 MB, and the limit is 400 MB",
  ]);
});
