// Generated from schemas/credential.schema.json; do not edit.
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
var schema11 = { "type": "object", "required": ["apiVersion", "kind", "metadata", "spec"], "additionalProperties": false, "properties": { "apiVersion": { "const": "agentform/v1" }, "kind": { "const": "Credential" }, "metadata": { "type": "object", "required": ["name"], "additionalProperties": false, "properties": { "name": { "type": "string", "pattern": "^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$" }, "labels": { "type": "object", "additionalProperties": { "type": "string" } }, "annotations": { "type": "object", "additionalProperties": { "type": "string" } } } }, "spec": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" }, "provider_id": { "type": "string" }, "credentials": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "additionalProperties": true } }, "meta_data": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "object", "additionalProperties": true } }, "_id": { "type": "string" }, "created_at": { "type": "string" }, "updated_at": { "type": "string" } } }, "lifecycle": { "type": "object", "additionalProperties": false, "properties": { "protect": { "if": { "$ref": "#/definitions/expression" }, "else": { "type": "boolean" } }, "adopt": { "type": ["string", "object"], "minLength": 1, "additionalProperties": { "type": "string", "minLength": 1 } }, "moved_from": { "type": ["string", "array"], "minLength": 1, "items": { "type": "string", "minLength": 1 } } } } }, "definitions": { "expression": { "type": "string", "pattern": "\\$\\{[a-z][a-z0-9_]*:" } } };
var pattern0 = new RegExp("^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$", "u");
var pattern1 = new RegExp("\\$\\{[a-z][a-z0-9_]*:", "u");
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
      if ("Credential" !== data.kind) {
        const err6 = { instancePath: instancePath + "/kind", schemaPath: "#/properties/kind/const", keyword: "const", params: { allowedValue: "Credential" } };
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
        if (data8.name === void 0) {
          const err16 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/required", keyword: "required", params: { missingProperty: "name" } };
          if (vErrors === null) {
            vErrors = [err16];
          } else {
            vErrors.push(err16);
          }
          errors++;
        }
        if (data8.name !== void 0) {
          if (typeof data8.name !== "string") {
            const err17 = { instancePath: instancePath + "/spec/name", schemaPath: "#/properties/spec/properties/name/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err17];
            } else {
              vErrors.push(err17);
            }
            errors++;
          }
        }
        if (data8.provider_id !== void 0) {
          if (typeof data8.provider_id !== "string") {
            const err18 = { instancePath: instancePath + "/spec/provider_id", schemaPath: "#/properties/spec/properties/provider_id/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err18];
            } else {
              vErrors.push(err18);
            }
            errors++;
          }
        }
        if (data8.credentials !== void 0) {
          let data11 = data8.credentials;
          const _errs26 = errors;
          let valid5 = true;
          const _errs27 = errors;
          const _errs28 = errors;
          if (errors === _errs28) {
            if (typeof data11 === "string") {
              if (!pattern1.test(data11)) {
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
          var _valid0 = _errs27 === errors;
          errors = _errs26;
          if (vErrors !== null) {
            if (_errs26) {
              vErrors.length = _errs26;
            } else {
              vErrors = null;
            }
          }
          if (!_valid0) {
            const _errs30 = errors;
            if (data11 && typeof data11 == "object" && !Array.isArray(data11)) {
            } else {
              const err21 = { instancePath: instancePath + "/spec/credentials", schemaPath: "#/properties/spec/properties/credentials/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err21];
              } else {
                vErrors.push(err21);
              }
              errors++;
            }
            var _valid0 = _errs30 === errors;
            valid5 = _valid0;
          }
          if (!valid5) {
            const err22 = { instancePath: instancePath + "/spec/credentials", schemaPath: "#/properties/spec/properties/credentials/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err22];
            } else {
              vErrors.push(err22);
            }
            errors++;
          }
        }
        if (data8.meta_data !== void 0) {
          let data12 = data8.meta_data;
          const _errs34 = errors;
          let valid7 = true;
          const _errs35 = errors;
          const _errs36 = errors;
          if (errors === _errs36) {
            if (typeof data12 === "string") {
              if (!pattern1.test(data12)) {
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
          var _valid1 = _errs35 === errors;
          errors = _errs34;
          if (vErrors !== null) {
            if (_errs34) {
              vErrors.length = _errs34;
            } else {
              vErrors = null;
            }
          }
          if (!_valid1) {
            const _errs38 = errors;
            if (data12 && typeof data12 == "object" && !Array.isArray(data12)) {
            } else {
              const err25 = { instancePath: instancePath + "/spec/meta_data", schemaPath: "#/properties/spec/properties/meta_data/else/type", keyword: "type", params: { type: "object" } };
              if (vErrors === null) {
                vErrors = [err25];
              } else {
                vErrors.push(err25);
              }
              errors++;
            }
            var _valid1 = _errs38 === errors;
            valid7 = _valid1;
          }
          if (!valid7) {
            const err26 = { instancePath: instancePath + "/spec/meta_data", schemaPath: "#/properties/spec/properties/meta_data/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err26];
            } else {
              vErrors.push(err26);
            }
            errors++;
          }
        }
        if (data8._id !== void 0) {
          if (typeof data8._id !== "string") {
            const err27 = { instancePath: instancePath + "/spec/_id", schemaPath: "#/properties/spec/properties/_id/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err27];
            } else {
              vErrors.push(err27);
            }
            errors++;
          }
        }
        if (data8.created_at !== void 0) {
          if (typeof data8.created_at !== "string") {
            const err28 = { instancePath: instancePath + "/spec/created_at", schemaPath: "#/properties/spec/properties/created_at/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err28];
            } else {
              vErrors.push(err28);
            }
            errors++;
          }
        }
        if (data8.updated_at !== void 0) {
          if (typeof data8.updated_at !== "string") {
            const err29 = { instancePath: instancePath + "/spec/updated_at", schemaPath: "#/properties/spec/properties/updated_at/type", keyword: "type", params: { type: "string" } };
            if (vErrors === null) {
              vErrors = [err29];
            } else {
              vErrors.push(err29);
            }
            errors++;
          }
        }
      } else {
        const err30 = { instancePath: instancePath + "/spec", schemaPath: "#/properties/spec/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err30];
        } else {
          vErrors.push(err30);
        }
        errors++;
      }
    }
    if (data.lifecycle !== void 0) {
      let data16 = data.lifecycle;
      if (data16 && typeof data16 == "object" && !Array.isArray(data16)) {
        for (const key4 in data16) {
          if (!(key4 === "protect" || key4 === "adopt" || key4 === "moved_from")) {
            const err31 = { instancePath: instancePath + "/lifecycle", schemaPath: "#/properties/lifecycle/additionalProperties", keyword: "additionalProperties", params: { additionalProperty: key4 } };
            if (vErrors === null) {
              vErrors = [err31];
            } else {
              vErrors.push(err31);
            }
            errors++;
          }
        }
        if (data16.protect !== void 0) {
          let data17 = data16.protect;
          const _errs51 = errors;
          let valid10 = true;
          const _errs52 = errors;
          const _errs53 = errors;
          if (errors === _errs53) {
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
          var _valid2 = _errs52 === errors;
          errors = _errs51;
          if (vErrors !== null) {
            if (_errs51) {
              vErrors.length = _errs51;
            } else {
              vErrors = null;
            }
          }
          if (!_valid2) {
            const _errs55 = errors;
            if (typeof data17 !== "boolean") {
              const err34 = { instancePath: instancePath + "/lifecycle/protect", schemaPath: "#/properties/lifecycle/properties/protect/else/type", keyword: "type", params: { type: "boolean" } };
              if (vErrors === null) {
                vErrors = [err34];
              } else {
                vErrors.push(err34);
              }
              errors++;
            }
            var _valid2 = _errs55 === errors;
            valid10 = _valid2;
          }
          if (!valid10) {
            const err35 = { instancePath: instancePath + "/lifecycle/protect", schemaPath: "#/properties/lifecycle/properties/protect/if", keyword: "if", params: { failingKeyword: "else" } };
            if (vErrors === null) {
              vErrors = [err35];
            } else {
              vErrors.push(err35);
            }
            errors++;
          }
        }
        if (data16.adopt !== void 0) {
          let data18 = data16.adopt;
          if (typeof data18 !== "string" && !(data18 && typeof data18 == "object" && !Array.isArray(data18))) {
            const err36 = { instancePath: instancePath + "/lifecycle/adopt", schemaPath: "#/properties/lifecycle/properties/adopt/type", keyword: "type", params: { type: schema11.properties.lifecycle.properties.adopt.type } };
            if (vErrors === null) {
              vErrors = [err36];
            } else {
              vErrors.push(err36);
            }
            errors++;
          }
          if (typeof data18 === "string") {
            if (func2(data18) < 1) {
              const err37 = { instancePath: instancePath + "/lifecycle/adopt", schemaPath: "#/properties/lifecycle/properties/adopt/minLength", keyword: "minLength", params: { limit: 1 } };
              if (vErrors === null) {
                vErrors = [err37];
              } else {
                vErrors.push(err37);
              }
              errors++;
            }
          }
          if (data18 && typeof data18 == "object" && !Array.isArray(data18)) {
            for (const key5 in data18) {
              let data19 = data18[key5];
              if (typeof data19 === "string") {
                if (func2(data19) < 1) {
                  const err38 = { instancePath: instancePath + "/lifecycle/adopt/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lifecycle/properties/adopt/additionalProperties/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err38];
                  } else {
                    vErrors.push(err38);
                  }
                  errors++;
                }
              } else {
                const err39 = { instancePath: instancePath + "/lifecycle/adopt/" + key5.replace(/~/g, "~0").replace(/\//g, "~1"), schemaPath: "#/properties/lifecycle/properties/adopt/additionalProperties/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err39];
                } else {
                  vErrors.push(err39);
                }
                errors++;
              }
            }
          }
        }
        if (data16.moved_from !== void 0) {
          let data20 = data16.moved_from;
          if (typeof data20 !== "string" && !Array.isArray(data20)) {
            const err40 = { instancePath: instancePath + "/lifecycle/moved_from", schemaPath: "#/properties/lifecycle/properties/moved_from/type", keyword: "type", params: { type: schema11.properties.lifecycle.properties.moved_from.type } };
            if (vErrors === null) {
              vErrors = [err40];
            } else {
              vErrors.push(err40);
            }
            errors++;
          }
          if (typeof data20 === "string") {
            if (func2(data20) < 1) {
              const err41 = { instancePath: instancePath + "/lifecycle/moved_from", schemaPath: "#/properties/lifecycle/properties/moved_from/minLength", keyword: "minLength", params: { limit: 1 } };
              if (vErrors === null) {
                vErrors = [err41];
              } else {
                vErrors.push(err41);
              }
              errors++;
            }
          }
          if (Array.isArray(data20)) {
            const len0 = data20.length;
            for (let i0 = 0; i0 < len0; i0++) {
              let data21 = data20[i0];
              if (typeof data21 === "string") {
                if (func2(data21) < 1) {
                  const err42 = { instancePath: instancePath + "/lifecycle/moved_from/" + i0, schemaPath: "#/properties/lifecycle/properties/moved_from/items/minLength", keyword: "minLength", params: { limit: 1 } };
                  if (vErrors === null) {
                    vErrors = [err42];
                  } else {
                    vErrors.push(err42);
                  }
                  errors++;
                }
              } else {
                const err43 = { instancePath: instancePath + "/lifecycle/moved_from/" + i0, schemaPath: "#/properties/lifecycle/properties/moved_from/items/type", keyword: "type", params: { type: "string" } };
                if (vErrors === null) {
                  vErrors = [err43];
                } else {
                  vErrors.push(err43);
                }
                errors++;
              }
            }
          }
        }
      } else {
        const err44 = { instancePath: instancePath + "/lifecycle", schemaPath: "#/properties/lifecycle/type", keyword: "type", params: { type: "object" } };
        if (vErrors === null) {
          vErrors = [err44];
        } else {
          vErrors.push(err44);
        }
        errors++;
      }
    }
  } else {
    const err45 = { instancePath, schemaPath: "#/type", keyword: "type", params: { type: "object" } };
    if (vErrors === null) {
      vErrors = [err45];
    } else {
      vErrors.push(err45);
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
