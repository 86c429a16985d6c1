import { useLayoutEffect, useRef } from "preact/hooks";
import { usePage } from "./page-context.js";

const keys: readonly (readonly [readonly string[], string])[] = [
  [["/"], "search"],
  [["j", "k"], "next and previous action"],
  [["Enter"], "unfold or fold the action"],
  [["e"], "unfold or fold all"],
  [["s"], "side by side or inline"],
  [["g"], "show or hide the graph"],
  [["Esc"], "leave the search, fold the action"],
  [["?"], "this list"],
];

/** A dialog with the keyboard shortcuts. */
export function HelpDialog({ isShown }: { readonly isShown: boolean }) {
  const { dispatch } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const isClosedHere = useRef(false);
  useLayoutEffect(() => {
    if (dialog.current === null || dialog.current.open === isShown) return;
    if (isShown) dialog.current.showModal();
    else {
      isClosedHere.current = true;
      dialog.current.close();
    }
  }, [isShown]);
  const close = (): void => dispatch({ isHelpShown: false });
  // The event comes a moment after closing, when the dialog may have been opened again.
  const onClose = (): void => {
    if (!isClosedHere.current) close();
    isClosedHere.current = false;
  };
  const onCancel = (event: Event): void => {
    event.preventDefault();
    close();
  };
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onCancel={onCancel} onClose={onClose}>
      <h2 id="help-title">Keyboard</h2>
      <dl>
        {keys.map(([names, meaning]) => (
          <div key={meaning}>
            <dt>
              {names.map((name) => (
                <kbd>{name}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" class="plain" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
