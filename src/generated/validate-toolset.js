// Generated from schemas/toolset.schema.json; do not edit.
var __getOwnPropNames = Object.getOwnPropertyNames;
var __commonJS = (cb, mod) => function __run() {
  try {
    return mod || (0, cb[__getOwnPropNames(cb)[0]])((mod = { exports: {} }).exports, mod), mod.exports;
  } catch (e) {
    throw mod = 0, e;
  }
};

var require_ucs2length = __commonJS({
  "ajv/dist/runtime/ucs2length.js"(exports) {
    "use strict";
    Object.defineProperty(exports, "__esModule", { value: true });
    function ucs2length(str) {
      const len = str.length;
      let length = 0;
      let pos = 0;
      let value;
      while (pos < len) {
        length++;
        value = str.charCodeAt(pos++);
        if (value >= 55296 && value <= 56319 && pos < len) {
          value = str.charCodeAt(pos);
          if ((value & 64512) === 56320)
            pos++;
        }
      }
      return length;
    }
    exports.default = ucs2length;
  }
});

var validate = validate10;
var schema11 = { "type": "object", "required": ["apiVersion", "kind", "metadata", "spec"], "additionalProperties": false, "properties": { "apiVersion": { "const": "agentform/v1" }, "kind": { "const": "ToolSet" }, "metadata": { "type": "object", "required": ["name"], "additionalProperties": false, "properties": { "name": { "type": "string", "pattern": "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$" }, "labels": { "type": "object", "additionalProperties": { "type": "string" } }, "annotations": { "type": "object", "additionalProperties": { "type": "string" } } } }, "spec": { "type": "object", "required": ["tool_set_name", "openapi_schema"], "properties": { "tool_set_name": { "type": "string" }, "openapi_schema": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "additionalProperties": true } }, "default_headers": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "properties": { "authorization": { "type": "string" }, "proxy-authorization": { "type": "string" }, "cookie": { "type": "string" }, "api-key": { "type": "string" }, "x-api-key": { "type": "string" } }, "additionalProperties": true } }, "default_query_params": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "additionalProperties": true } }, "default_body_params": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "additionalProperties": true } }, "endpoint_defaults": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "additionalProperties": true } }, "enhance_descriptions": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "provider_api_key": { "type": "string" }, "_id": { "type": "string" }, "created_at": { "type": "string" }, "updated_at": { "type": "string" } } }, "lifecycle": { "type": "object", "additionalProperties": false, "properties": { "protect": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "adopt": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": ["array", "object"], "items": { "type": "string", "pattern": "^.+=.+$" }, "additionalProperties": { "type": "array", "items": { "type": "string", "pattern": "^.+=.+$" } } } }, "moved_from": { "type": ["string", "array"], "minLength": 1, "items": { "type": "string", "minLength": 1 } } } } }, "definitions": { "expression": { "type": "string", "pattern": "\\$\\{[a-z][a-z0-9_]*:" } } };
var pattern0 = new RegExp("^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$", "u");
var pattern1 = new RegExp("\\$\\{[a-z][a-z0-9_]*:", "u");
var pattern9 = new RegExp("^.+=.+$", "u");
var func2 = require_ucs2length().default;
function validate10(data, { instancePath = "", parentData, parentDataProperty, rootData = data } = {}) {
  let vErrors = null;
  let errors = 0;
  if (data && typeof data == "object" && !Array.isArray(data)) {
    if (data.apiVersion === void 0) {
      const err0 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "apiVersion" } };
      if (vErrors === null) {
        vErrors = [err0];
      } else {
        vErrors.push(err0);
      }
      errors++;
    }
    if (data.kind === void 0) {
      const err1 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "kind" } };
      if (vErrors === null) {
        vErrors = [err1];
      } else {
        vErrors.push(err1);
      }
      errors++;
    }
    if (data.metadata === void 0) {
      const err2 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "metadata" } };
      if (vErrors === null) {
        vErrors = [err2];
      } else {
        vErrors.push(err2);
      }
      errors++;
    }
    if (data.spec === void 0) {
      const err3 = { instancePath, schemaPath: "#/required", keyword: "required", params: { missingProperty: "spec" } };
      if (vErrors === null) {
        vErrors = [err3];
      } else {
        vErrors.push(err3);
      }
      errors++;
    }
    for (const key0 in data) {
      if (!(key0 === "apiVersion" || key0 === "kind" || key0 === "metadata" || key0 === "spec" || key0 === "lifecycle")) {
        const err4 = { instancePath, schemaPath: "#/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key0 } };
        if (vErrors === null) {
          vErrors = [err4];
        } else {
          vErrors.push(err4);
        }
        errors++;
      }
    }
    if (data.apiVersion !== void 0) {
      if ("agentform/v1" !== data.apiVersion) {
        const err5 = { instancePath: instancePath + "/apiVersion", schemaPath: "#/properties/apiVersion/const", keyword: "const", params: { allowedValue: "agentform/v1" } };
        if (vErrors === null) {
          vErrors = [err5];
        } else {
          vErrors.push(err5);
        }
        errors++;
      }
    }
    if (data.kind !== void 0) {
      if ("ToolSet" !== data.kind) {
        const err6 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "ToolSet" } };
        if (vErrors === null) {
          vErrors = [err6];
        } else {
          vErrors.push(err6);
        }
        errors++;
      }
    }
    if (data.metadata !== void 0) {
      let data2 = data.metadata;
      if (data2 && typeof data2 == "object" && !Array.isArray(data2)) {
        if (data2.name === void 0) {
          const err7 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/required", keyword: "required", params: { missingProperty: "name" } };
          if (vErrors === null) {
            vErrors = [err7];
          } else {
            vErrors.push(err7);
          }
          errors++;
        }
        for (const key1 in data2) {
          if (!(key1 === "name" || key1 === "labels" || key1 === "annotations")) {
            const err8 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key1 } };
            if (vErrors === null) {
              vErrors = [err8];
            } else {
              vErrors.push(err8);
            }
            errors++;
          }
        }
        if (data2.name !== void 0) {
          let data3 = data2.name;
          if (typeof data3 === "string") {
            if (!pattern0.test(data3)) {
              const err9 = { instancePath: instancePath + "/metadata/name", schemaPath: "#/properties/metadata/properties/name/pattern", keyword: "pattern", params: { pattern: "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$" } };
              if (vErrors === null) {
                vErrors = [err9];
              } else {
                vErrors.push(err9);
              }
              errors++;
            }
          } else {
            const err10 = { instancePath: instancePath + "/metadata/name", schemaPath: "#/properties/metadata/properties/name/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err10];
            } else {
              vErrors.push(err10);
            }
            errors++;
          }
        }
        if (data2.labels !== void 0) {
          let data4 = data2.labels;
          if (data4 && typeof data4 == "object" && !Array.isArray(data4)) {
            for (const key2 in data4) {
              if (typeof data4[key2] !== "string") {
                const err11 = { instancePath: instancePath + "/metadata/labels/" + key2.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/metadata/properties/labels/additionalProperties/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err11];
                } else {
                  vErrors.push(err11);
                }
                errors++;
              }
            }
          } else {
            const err12 = { instancePath: instancePath + "/metadata/labels", schemaPath: "#/properties/metadata/properties/labels/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err12];
            } else {
              vErrors.push(err12);
            }
            errors++;
          }
        }
        if (data2.annotations !== void 0) {
          let data6 = data2.annotations;
          if (data6 && typeof data6 == "object" && !Array.isArray(data6)) {
            for (const key3 in data6) {
              if (typeof data6[key3] !== "string") {
                const err13 = { instancePath: instancePath + "/metadata/annotations/" + key3.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/metadata/properties/annotations/additionalProperties/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err13];
                } else {
                  vErrors.push(err13);
                }
                errors++;
              }
            }
          } else {
            const err14 = { instancePath: instancePath + "/metadata/annotations", schemaPath: "#/properties/metadata/properties/annotations/type", keyword: "type", params: { type: "object" } };
            if (vErrors === null) {
              vErrors = [err14];
            } else {
              vErrors.push(err14);
            }
            errors++;
          }
        }
      } else {
        const err15 = { instancePath: instancePath + "/metadata", schemaPath: "#/properties/metadata/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err15];
        } else {
          vErrors.push(err15);
        }
        errors++;
      }
    }
    if (data.spec !== void 0) {
      let data8 = data.spec;
      if (data8 && typeof data8 == "object" && !Array.isArray(data8)) {
        if (data8.tool_set_name === void 0) {
          const err16 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/required", keyword: "required", params: { missingProperty: "tool_set_name" } };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
        if (data8.openapi_schema === void 0) {
          const err17 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/required", keyword: "required", params: { missingProperty: "openapi_schema" } };
          if (vErrors === null) {
            vErrors = [err17];
          } else {
            vErrors.push(err17);
          }
          errors++;
        }
        if (data8.tool_set_name !== void 0) {
          if (typeof data8.tool_set_name !== "string") {
            const err18 = { instancePath: instancePath + "/spec/tool_set_name", schemaPath: "#/properties/spec/properties/tool_set_name/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
        if (data8.openapi_schema !== void 0) {
          let data10 = data8.openapi_schema;
          const _errs24 = errors;
          let valid5 = true;
          const _errs25 = errors;
          const _errs26 = errors;
          if (errors === _errs26) {
            if (typeof data10 === "string") {
              if (!pattern1.test(data10)) {
                const err19 = {};
                if (vErrors === null) {
                  vErrors = [err19];
                } else {
                  vErrors.push(err19);
                }
                errors++;
              }
            } else {
              const err20 = {};
              if (vErrors === null) {
                vErrors = [err20];
              } else {
                vErrors.push(err20);
              }
              errors++;
            }
          }
          var _valid0 = _errs25 === errors;
          errors = _errs24;
          if (vErrors !== null) {
            if (_errs24) {
              vErrors.length = _errs24;
            } else {
              vErrors = null;
            }
          }
          if (!_valid0) {
            const _errs28 = errors;
            if (data10 && typeof data10 == "object" && !Array.isArray(data10)) {
            } else {
              const err21 = { instancePath: instancePath + "/spec/openapi_schema", schemaPath: "#/properties/spec/properties/openapi_schema/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            }
            var _valid0 = _errs28 === errors;
            valid5 = _valid0;
          }
          if (!valid5) {
            const err22 = { instancePath: instancePath + "/spec/openapi_schema", schemaPath: "#/properties/spec/properties/openapi_schema/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
        }
        if (data8.default_headers !== void 0) {
          let data11 = data8.default_headers;
          const _errs32 = errors;
          let valid7 = true;
          const _errs33 = errors;
          const _errs34 = errors;
          if (errors === _errs34) {
            if (typeof data11 === "string") {
              if (!pattern1.test(data11)) {
                const err23 = {};
                if (vErrors === null) {
                  vErrors = [err23];
                } else {
                  vErrors.push(err23);
                }
                errors++;
              }
            } else {
              const err24 = {};
              if (vErrors === null) {
                vErrors = [err24];
              } else {
                vErrors.push(err24);
              }
              errors++;
            }
          }
          var _valid1 = _errs33 === errors;
          errors = _errs32;
          if (vErrors !== null) {
            if (_errs32) {
              vErrors.length = _errs32;
            } else {
              vErrors = null;
            }
          }
          if (!_valid1) {
            const _errs36 = errors;
            if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
              if (data11.authorization !== void 0) {
                if (typeof data11.authorization !== "string") {
                  const err25 = { instancePath: instancePath + "/spec/default_headers/authorization", schemaPath: "#/properties/spec/properties/default_headers/else/properties/authorization/type", keyword: "type", params: { type: "string" } };
                  if (vErrors === null) {
                    vErrors = [err25];
                  } else {
                    vErrors.push(err25);
                  }
                  errors++;
                }
              }
              if (data11["proxy-authorization"] !== void 0) {
                if (typeof data11["proxy-authorization"] !== "string") {
                  const err26 = { instancePath: instancePath + "/spec/default_headers/proxy-authorization", schemaPath: "#/properties/spec/properties/default_headers/else/properties/proxy-authorization/type", keyword: "type", params: { type: "string" } };
                  if (vErrors === null) {
                    vErrors = [err26];
                  } else {
                    vErrors.push(err26);
                  }
                  errors++;
                }
              }
              if (data11.cookie !== void 0) {
                if (typeof data11.cookie !== "string") {
                  const err27 = { instancePath: instancePath + "/spec/default_headers/cookie", schemaPath: "#/properties/spec/properties/default_headers/else/properties/cookie/type", keyword: "type", params: { type: "string" } };
                  if (vErrors === null) {
                    vErrors = [err27];
                  } else {
                    vErrors.push(err27);
                  }
                  errors++;
                }
              }
              if (data11["api-key"] !== void 0) {
                if (typeof data11["api-key"] !== "string") {
                  const err28 = { instancePath: instancePath + "/spec/default_headers/api-key", schemaPath: "#/properties/spec/properties/default_headers/else/properties/api-key/type", keyword: "type", params: { type: "string" } };
                  if (vErrors === null) {
                    vErrors = [err28];
                  } else {
                    vErrors.push(err28);
                  }
                  errors++;
                }
              }
              if (data11["x-api-key"] !== void 0) {
                if (typeof data11["x-api-key"] !== "string") {
                  const err29 = { instancePath: instancePath + "/spec/default_headers/x-api-key", schemaPath: "#/properties/spec/properties/default_headers/else/properties/x-api-key/type", keyword: "type", params: { type: "string" } };
                  if (vErrors === null) {
                    vErrors = [err29];
                  } else {
                    vErrors.push(err29);
                  }
                  errors++;
                }
              }
            } else {
              const err30 = { instancePath: instancePath + "/spec/default_headers", schemaPath: "#/properties/spec/properties/default_headers/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err30];
              } else {
                vErrors.push(err30);
              }
              errors++;
            }
            var _valid1 = _errs36 === errors;
            valid7 = _valid1;
          }
          if (!valid7) {
            const err31 = { instancePath: instancePath + "/spec/default_headers", schemaPath: "#/properties/spec/properties/default_headers/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err31];
            } else {
              vErrors.push(err31);
            }
            errors++;
          }
        }
        if (data8.default_query_params !== void 0) {
          let data17 = data8.default_query_params;
          const _errs50 = errors;
          let valid10 = true;
          const _errs51 = errors;
          const _errs52 = errors;
          if (errors === _errs52) {
            if (typeof data17 === "string") {
              if (!pattern1.test(data17)) {
                const err32 = {};
                if (vErrors === null) {
                  vErrors = [err32];
                } else {
                  vErrors.push(err32);
                }
                errors++;
              }
            } else {
              const err33 = {};
              if (vErrors === null) {
                vErrors = [err33];
              } else {
                vErrors.push(err33);
              }
              errors++;
            }
          }
          var _valid2 = _errs51 === errors;
          errors = _errs50;
          if (vErrors !== null) {
            if (_errs50) {
              vErrors.length = _errs50;
            } else {
              vErrors = null;
            }
          }
          if (!_valid2) {
            const _errs54 = errors;
            if (data17 && typeof data17 == "object" && !Array.isArray(data17)) {
            } else {
              const err34 = { instancePath: instancePath + "/spec/default_query_params", schemaPath: "#/properties/spec/properties/default_query_params/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err34];
              } else {
                vErrors.push(err34);
              }
              errors++;
            }
            var _valid2 = _errs54 === errors;
            valid10 = _valid2;
          }
          if (!valid10) {
            const err35 = { instancePath: instancePath + "/spec/default_query_params", schemaPath: "#/properties/spec/properties/default_query_params/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err35];
            } else {
              vErrors.push(err35);
            }
            errors++;
          }
        }
        if (data8.default_body_params !== void 0) {
          let data18 = data8.default_body_params;
          const _errs58 = errors;
          let valid12 = true;
          const _errs59 = errors;
          const _errs60 = errors;
          if (errors === _errs60) {
            if (typeof data18 === "string") {
              if (!pattern1.test(data18)) {
                const err36 = {};
                if (vErrors === null) {
                  vErrors = [err36];
                } else {
                  vErrors.push(err36);
                }
                errors++;
              }
            } else {
              const err37 = {};
              if (vErrors === null) {
                vErrors = [err37];
              } else {
                vErrors.push(err37);
              }
              errors++;
            }
          }
          var _valid3 = _errs59 === errors;
          errors = _errs58;
          if (vErrors !== null) {
            if (_errs58) {
              vErrors.length = _errs58;
            } else {
              vErrors = null;
            }
          }
          if (!_valid3) {
            const _errs62 = errors;
            if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
            } else {
              const err38 = { instancePath: instancePath + "/spec/default_body_params", schemaPath: "#/properties/spec/properties/default_body_params/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err38];
              } else {
                vErrors.push(err38);
              }
              errors++;
            }
            var _valid3 = _errs62 === errors;
            valid12 = _valid3;
          }
          if (!valid12) {
            const err39 = { instancePath: instancePath + "/spec/default_body_params", schemaPath: "#/properties/spec/properties/default_body_params/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err39];
            } else {
              vErrors.push(err39);
            }
            errors++;
          }
        }
        if (data8.endpoint_defaults !== void 0) {
          let data19 = data8.endpoint_defaults;
          const _errs66 = errors;
          let valid14 = true;
          const _errs67 = errors;
          const _errs68 = errors;
          if (errors === _errs68) {
            if (typeof data19 === "string") {
              if (!pattern1.test(data19)) {
                const err40 = {};
                if (vErrors === null) {
                  vErrors = [err40];
                } else {
                  vErrors.push(err40);
                }
                errors++;
              }
            } else {
              const err41 = {};
              if (vErrors === null) {
                vErrors = [err41];
              } else {
                vErrors.push(err41);
              }
              errors++;
            }
          }
          var _valid4 = _errs67 === errors;
          errors = _errs66;
          if (vErrors !== null) {
            if (_errs66) {
              vErrors.length = _errs66;
            } else {
              vErrors = null;
            }
          }
          if (!_valid4) {
            const _errs70 = errors;
            if (data19 && typeof data19 == "object" && !Array.isArray(data19)) {
            } else {
              const err42 = { instancePath: instancePath + "/spec/endpoint_defaults", schemaPath: "#/properties/spec/properties/endpoint_defaults/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err42];
              } else {
                vErrors.push(err42);
              }
              errors++;
            }
            var _valid4 = _errs70 === errors;
            valid14 = _valid4;
          }
          if (!valid14) {
            const err43 = { instancePath: instancePath + "/spec/endpoint_defaults", schemaPath: "#/properties/spec/properties/endpoint_defaults/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err43];
            } else {
              vErrors.push(err43);
            }
            errors++;
          }
        }
        if (data8.enhance_descriptions !== void 0) {
          let data20 = data8.enhance_descriptions;
          const _errs74 = errors;
          let valid16 = true;
          const _errs75 = errors;
          const _errs76 = errors;
          if (errors === _errs76) {
            if (typeof data20 === "string") {
              if (!pattern1.test(data20)) {
                const err44 = {};
                if (vErrors === null) {
                  vErrors = [err44];
                } else {
                  vErrors.push(err44);
                }
                errors++;
              }
            } else {
              const err45 = {};
              if (vErrors === null) {
                vErrors = [err45];
              } else {
                vErrors.push(err45);
              }
              errors++;
            }
          }
          var _valid5 = _errs75 === errors;
          errors = _errs74;
          if (vErrors !== null) {
            if (_errs74) {
              vErrors.length = _errs74;
            } else {
              vErrors = null;
            }
          }
          if (!_valid5) {
            const _errs78 = errors;
            if (typeof data20 !== "boolean") {
              const err46 = { instancePath: instancePath + "/spec/enhance_descriptions", schemaPath: "#/properties/spec/properties/enhance_descriptions/else/type", keyword: "type", params: { type: "boolean" } };
              if (vErrors === null) {
                vErrors = [err46];
              } else {
                vErrors.push(err46);
              }
              errors++;
            }
            var _valid5 = _errs78 === errors;
            valid16 = _valid5;
          }
          if (!valid16) {
            const err47 = { instancePath: instancePath + "/spec/enhance_descriptions", schemaPath: "#/properties/spec/properties/enhance_descriptions/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err47];
            } else {
              vErrors.push(err47);
            }
            errors++;
          }
        }
        if (data8.provider_api_key !== void 0) {
          if (typeof data8.provider_api_key !== "string") {
            const err48 = { instancePath: instancePath + "/spec/provider_api_key", schemaPath: "#/properties/spec/properties/provider_api_key/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err48];
            } else {
              vErrors.push(err48);
            }
            errors++;
          }
        }
        if (data8._id !== void 0) {
          if (typeof data8._id !== "string") {
            const err49 = { instancePath: instancePath + "/spec/_id", schemaPath: "#/properties/spec/properties/_id/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err49];
            } else {
              vErrors.push(err49);
            }
            errors++;
          }
        }
        if (data8.created_at !== void 0) {
          if (typeof data8.created_at !== "string") {
            const err50 = { instancePath: instancePath + "/spec/created_at", schemaPath: "#/properties/spec/properties/created_at/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err50];
            } else {
              vErrors.push(err50);
            }
            errors++;
          }
        }
        if (data8.updated_at !== void 0) {
          if (typeof data8.updated_at !== "string") {
            const err51 = { instancePath: instancePath + "/spec/updated_at", schemaPath: "#/properties/spec/properties/updated_at/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err51];
            } else {
              vErrors.push(err51);
            }
            errors++;
          }
        }
      } else {
        const err52 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err52];
        } else {
          vErrors.push(err52);
        }
        errors++;
      }
    }
    if (data.lifecycle !== void 0) {
      let data25 = data.lifecycle;
      if (data25 && typeof data25 == "object" && !Array.isArray(data25)) {
        for (const key4 in data25) {
          if (!(key4 === "protect" || key4 === "adopt" || key4 === "moved_from")) {
            const err53 = { instancePath: instancePath + "/lifecycle", schemaPath: "#/properties/lifecycle/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 } };
            if (vErrors === null) {
              vErrors = [err53];
            } else {
              vErrors.push(err53);
            }
            errors++;
          }
        }
        if (data25.protect !== void 0) {
          let data26 = data25.protect;
          const _errs92 = errors;
          let valid19 = true;
          const _errs93 = errors;
          const _errs94 = errors;
          if (errors === _errs94) {
            if (typeof data26 === "string") {
              if (!pattern1.test(data26)) {
                const err54 = {};
                if (vErrors === null) {
                  vErrors = [err54];
                } else {
                  vErrors.push(err54);
                }
                errors++;
              }
            } else {
              const err55 = {};
              if (vErrors === null) {
                vErrors = [err55];
              } else {
                vErrors.push(err55);
              }
              errors++;
            }
          }
          var _valid6 = _errs93 === errors;
          errors = _errs92;
          if (vErrors !== null) {
            if (_errs92) {
              vErrors.length = _errs92;
            } else {
              vErrors = null;
            }
          }
          if (!_valid6) {
            const _errs96 = errors;
            if (typeof data26 !== "boolean") {
              const err56 = { instancePath: instancePath + "/lifecycle/protect", schemaPath: "#/properties/lifecycle/properties/protect/else/type", keyword: "type", params: { type: "boolean" } };
              if (vErrors === null) {
                vErrors = [err56];
              } else {
                vErrors.push(err56);
              }
              errors++;
            }
            var _valid6 = _errs96 === errors;
            valid19 = _valid6;
          }
          if (!valid19) {
            const err57 = { instancePath: instancePath + "/lifecycle/protect", schemaPath: "#/properties/lifecycle/properties/protect/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err57];
            } else {
              vErrors.push(err57);
            }
            errors++;
          }
        }
        if (data25.adopt !== void 0) {
          let data27 = data25.adopt;
          const _errs99 = errors;
          let valid21 = true;
          const _errs100 = errors;
          const _errs101 = errors;
          if (errors === _errs101) {
            if (typeof data27 === "string") {
              if (!pattern1.test(data27)) {
                const err58 = {};
                if (vErrors === null) {
                  vErrors = [err58];
                } else {
                  vErrors.push(err58);
                }
                errors++;
              }
            } else {
              const err59 = {};
              if (vErrors === null) {
                vErrors = [err59];
              } else {
                vErrors.push(err59);
              }
              errors++;
            }
          }
          var _valid7 = _errs100 === errors;
          errors = _errs99;
          if (vErrors !== null) {
            if (_errs99) {
              vErrors.length = _errs99;
            } else {
              vErrors = null;
            }
          }
          if (!_valid7) {
            const _errs103 = errors;
            if (!data27 || typeof data27 != "object") {
              const err60 = { instancePath: instancePath + "/lifecycle/adopt", schemaPath: "#/properties/lifecycle/properties/adopt/else/type", keyword: "type", params: { type: schema11.properties.lifecycle.properties.adopt.else.type } };
              if (vErrors === null) {
                vErrors = [err60];
              } else {
                vErrors.push(err60);
              }
              errors++;
            }
            if (Array.isArray(data27)) {
              const len0 = data27.length;
              for (let i0 = 0; i0 < len0; i0++) {
                let data28 = data27[i0];
                if (typeof data28 === "string") {
                  if (!pattern9.test(data28)) {
                    const err61 = { instancePath: instancePath + "/lifecycle/adopt/" + i0, schemaPath: "#/properties/lifecycle/properties/adopt/else/items/pattern", keyword: "pattern", params: { pattern: "^.+=.+$" } };
                    if (vErrors === null) {
                      vErrors = [err61];
                    } else {
                      vErrors.push(err61);
                    }
                    errors++;
                  }
                } else {
                  const err62 = { instancePath: instancePath + "/lifecycle/adopt/" + i0, schemaPath: "#/properties/lifecycle/properties/adopt/else/items/type", keyword: "type", params: { type: "string" } };
                  if (vErrors === null) {
                    vErrors = [err62];
                  } else {
                    vErrors.push(err62);
                  }
                  errors++;
                }
              }
            }
            if (data27 && typeof data27 == "object" && !Array.isArray(data27)) {
              for (const key5 in data27) {
                let data29 = data27[key5];
                if (Array.isArray(data29)) {
                  const len1 = data29.length;
                  for (let i1 = 0; i1 < len1; i1++) {
                    let data30 = data29[i1];
                    if (typeof data30 === "string") {
                      if (!pattern9.test(data30)) {
                        const err63 = { instancePath: instancePath + "/lifecycle/adopt/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i1, schemaPath: "#/properties/lifecycle/properties/adopt/else/additionalProperties/items/pattern", keyword: "pattern", params: { pattern: "^.+=.+$" } };
                        if (vErrors === null) {
                          vErrors = [err63];
                        } else {
                          vErrors.push(err63);
                        }
                        errors++;
                      }
                    } else {
                      const err64 = { instancePath: instancePath + "/lifecycle/adopt/" + key5.replace(/~/g, "~0").replace(/\//g, "~1") + "/" + i1, schemaPath: "#/properties/lifecycle/properties/adopt/else/additionalProperties/items/type", keyword: "type", params: { type: "string" } };
                      if (vErrors === null) {
                        vErrors = [err64];
                      } else {
                        vErrors.push(err64);
                      }
                      errors++;
                    }
                  }
                } else {
                  const err65 = { instancePath: instancePath + "/lifecycle/adopt/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lifecycle/properties/adopt/else/additionalProperties/type", keyword: "type", params: { type: "array" } };
                  if (vErrors === null) {
                    vErrors = [err65];
                  } else {
                    vErrors.push(err65);
                  }
                  errors++;
                }
              }
            }
            var _valid7 = _errs103 === errors;
            valid21 = _valid7;
          }
          if (!valid21) {
            const err66 = { instancePath: instancePath + "/lifecycle/adopt", schemaPath: "#/properties/lifecycle/properties/adopt/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err66];
            } else {
              vErrors.push(err66);
            }
            errors++;
          }
        }
        if (data25.moved_from !== void 0) {
          let data31 = data25.moved_from;
          if (typeof data31 !== "string" && !Array.isArray(data31)) {
            const err67 = { instancePath: instancePath + "/lifecycle/moved_from", schemaPath: "#/properties/lifecycle/properties/moved_from/type", keyword: "type", params: { type: schema11.properties.lifecycle.properties.moved_from.type } };
            if (vErrors === null) {
              vErrors = [err67];
            } else {
              vErrors.push(err67);
            }
            errors++;
          }
          if (typeof data31 === "string") {
            if (func2(data31) < 1) {
              const err68 = { instancePath: instancePath + "/lifecycle/moved_from", schemaPath: "#/properties/lifecycle/properties/moved_from/minLength", keyword: "minLength", params: { limit: 1 } };
              if (vErrors === null) {
                vErrors = [err68];
              } else {
                vErrors.push(err68);
              }
              errors++;
            }
          }
          if (Array.isArray(data31)) {
            const len2 = data31.length;
            for (let i2 = 0; i2 < len2; i2++) {
              let data32 = data31[i2];
              if (typeof data32 === "string") {
                if (func2(data32) < 1) {
                  const err69 = { instancePath: instancePath + "/lifecycle/moved_from/" + i2, schemaPath: "#/properties/lifecycle/properties/moved_from/items/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err69];
                  } else {
                    vErrors.push(err69);
                  }
                  errors++;
                }
              } else {
                const err70 = { instancePath: instancePath + "/lifecycle/moved_from/" + i2, schemaPath: "#/properties/lifecycle/properties/moved_from/items/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err70];
                } else {
                  vErrors.push(err70);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err71 = { instancePath: instancePath + "/lifecycle", schemaPath: "#/properties/lifecycle/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err71];
        } else {
          vErrors.push(err71);
        }
        errors++;
      }
    }
  } else {
    const err72 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err72];
    } else {
      vErrors.push(err72);
    }
    errors++;
  }
  validate10.errors = vErrors;
  return errors === 0;
}

function validate2(value) {
  const valid = validate(value);
  validate2.errors = valid ? null : validate.errors.filter((error) => error.keyword !== "if");
  return valid;
}
export {
  validate2 as validate
};
