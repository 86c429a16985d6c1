export declare const core: readonly string[];
export declare const render: readonly string[];
export declare const rooms: ReadonlyMap<string, readonly string[]>;
export declare function roomOf(path: string): string;
