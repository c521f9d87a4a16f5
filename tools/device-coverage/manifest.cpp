#include "manifest.h"

#include <cerrno>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "message.h"

namespace device_coverage {
namespace {

using nlohmann::json;

constexpr const char* kFormat = "device-coverage-manifest";
constexpr int kVersion = 1;

[[noreturn]] void refuse(const std::string& fact) {
  throw Failure({"manifest", fact, "there is nothing to go by",
                 "configure the project again, which writes device-coverage.json anew"});
}

const json& member(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end())
    refuse(fmt::format("key `{}` is missing", key));
  return *found;
}

std::string text(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_string())
    refuse(fmt::format("key `{}` is {} and not a string", key, value.dump()));
  return value.get<std::string>();
}

std::filesystem::path absolutePath(const json& object, const char* key) {
  std::filesystem::path path = text(object, key);
  if (!path.is_absolute())
    refuse(fmt::format("key `{}` is `{}` and not an absolute path", key, path.string()));
  return path;
}

ManifestObject readObject(const json& value) {
  if (!value.is_object())
    refuse(fmt::format("an entry of `objects` is {}", value.dump()));
  ManifestObject object;
  object.path = absolutePath(value, "path");
  const std::string kind = text(value, "kind");
  if (kind != "host" && kind != "code_object")
    refuse(fmt::format("`{}` is of kind `{}`, known are host and code_object", object.path.string(),
                       kind));
  object.kind = kind == "host" ? ManifestObject::Kind::Host : ManifestObject::Kind::CodeObject;
  return object;
}

DeviceCoverageState readDeviceState(const json& value) {
  const json& enabled = member(value, "enabled");
  if (!enabled.is_boolean())
    refuse(fmt::format("key `enabled` is {} and neither true nor false", enabled.dump()));
  DeviceCoverageState state = {enabled.get<bool>(), text(value, "blocker"), {}};
  // Optional: most builds measure all they build for.
  if (value.contains("left_out"))
    for (const json& entry : value.at("left_out"))
      state.leftOut.push_back({text(entry, "target"), text(entry, "reason")});
  return state;
}

void readTools(const json& tools, Manifest& manifest) {
  manifest.llvmProfdata = text(tools, "llvm_profdata");
  manifest.llvmCov = text(tools, "llvm_cov");
  manifest.llvmVersion = text(tools, "llvm_version");
}

Manifest readManifest(const json& root) {
  if (!root.is_object() || text(root, "format") != kFormat)
    refuse(fmt::format("its `format` is not \"{}\"", kFormat));
  if (const json& version = member(root, "version"); version != kVersion)
    refuse(fmt::format("it is of version {}, this device-coverage reads {}", version.dump(),
                       kVersion));
  Manifest manifest;
  manifest.report = text(root, "report");
  manifest.sourceDirectory = absolutePath(root, "source_directory");
  manifest.buildDirectory = absolutePath(root, "build_directory");
  manifest.profiles = {absolutePath(root, "profile_directory")};
  manifest.outputDirectory = absolutePath(root, "output_directory");
  readTools(member(root, "tools"), manifest);
  manifest.device = readDeviceState(member(root, "device_coverage"));
  for (const json& object : member(root, "objects"))
    manifest.objects.push_back(readObject(object));
  for (const json& expression : member(root, "ignore")) {
    if (!expression.is_string())
      refuse(fmt::format("an entry of `ignore` is {}", expression.dump()));
    manifest.ignore.push_back(expression.get<std::string>());
  }
  return manifest;
}

} // namespace

Manifest loadManifest(const std::filesystem::path& path) {
  errno = 0;
  std::ifstream stream(path);
  if (!stream || std::filesystem::is_directory(path))
    throw Failure({"manifest",
                   fmt::format("{} cannot be read ({})", path.string(),
                               errno != 0 ? errnoText(errno) : "it is a folder"),
                   "there is nothing to go by",
                   "name the device-coverage.json in the build folder"});
  try {
    return readManifest(json::parse(stream));
  } catch (const json::exception& error) {
    throw Failure({"manifest",
                   fmt::format("{} is not valid JSON ({})", path.string(), error.what()),
                   "there is nothing to go by", "configure the project again"});
  } catch (const Failure& failure) {
    Message message = failure.message();
    message.fact = fmt::format("{}: {}", path.string(), message.fact);
    throw Failure(message);
  }
}

} // namespace device_coverage
