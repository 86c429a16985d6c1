import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

interface WindowedProps<T> {
  readonly items: readonly T[];
  /** How many items are drawn or left out together. */
  readonly size: number;
  /** About how high an item is, in pixels. */
  readonly height: number;
  /** An item that is drawn wherever the reader is. */
  readonly sought?: T | undefined;
  readonly children: (item: T) => ComponentChildren;
}

// With fewer stretches a list is drawn whole, so that the browser's own search finds everything.
const mostWhole = 10;
const margin = "1200px 0px";

/** A list of which only what is near the visible part is drawn, if it is long; all of it on paper. */
export function Windowed<T>({ items, size, height, sought, children }: WindowedProps<T>) {
  if (items.length <= size * mostWhole) return <ul>{items.map(children)}</ul>;
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, index) => index * size);
  return (
    <>
      {starts.map((start) => {
        const own = items.slice(start, start + size);
        const isNeeded = start === 0 || (sought !== undefined && own.includes(sought));
        return (
          <Stretch key={start} isNeeded={isNeeded} height={own.length * height}>
            {() => <ul>{own.map(children)}</ul>}
          </Stretch>
        );
      })}
    </>
  );
}

interface StretchProps {
  readonly isNeeded: boolean;
  readonly height: number;
  readonly children: () => ComponentChildren;
}

function Stretch({ isNeeded, height, children }: StretchProps) {
  const box = useRef<HTMLDivElement>(null);
  const measured = useRef<number>(undefined);
  const [isNear, setNear] = useState(false);
  const isPrinted = usePrinted();
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        // What has the focus stays, for the focus would be lost with it.
        if (!entry.isIntersecting && element.contains(document.activeElement)) return;
        if (!entry.isIntersecting && element.hasChildNodes())
          measured.current = entry.boundingClientRect.height;
        setNear(entry.isIntersecting);
      },
      { rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const isDrawn = isNear || isNeeded || isPrinted;
  return (
    <div
      ref={box}
      class="stretch"
      style={isDrawn ? undefined : { height: `${measured.current ?? height}px` }}
    >
      {isDrawn && children()}
    </div>
  );
}

function usePrinted(): boolean {
  const [isPrinted, setPrinted] = useState(false);
  useLayoutEffect(() => {
    const print = matchMedia("print");
    const follow = (): void => setPrinted(print.matches);
    print.addEventListener("change", follow);
    return () => print.removeEventListener("change", follow);
  }, []);
  return isPrinted;
}
