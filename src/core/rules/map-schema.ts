import { isObject, mapMembers, type Json } from "../../json/json.js";
import { keywords } from "./keywords.js";

/** Gives a checked schema with each of the schemas directly below it replaced; what only looks like one is left. */
export function mapSubschemas(schema: Json, change: (subschema: Json) => Json): Json {
  if (!isObject(schema)) return schema;
  return mapMembers(schema, (value, keyword) => {
    switch (keywords.get(keyword)) {
      case "schema":
        return change(value);
      case "schemas":
        return Array.isArray(value) ? value.map(change) : value;
      case "named schemas":
      case "named patterns":
        return isObject(value) ? mapMembers(value, change) : value;
      default:
        return value;
    }
  });
}
