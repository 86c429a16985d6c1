import { describeApplies } from "./apply-conformance.js";
import { gitMedium } from "./conformance-media.js";

// A round here is some hundred processes of git. All rounds go the same way through the code of documents, three times
// as often in the stores over HTTP; what git has of its own, the push that one of two wins, is in each round.
// Who runs git gets no half of an answer: git ends as it does without one.
describeApplies("the git store", gitMedium, { rounds: 20, cuts: "whole" });
