// A whole-body law as a ros2_control controller: joints and efforts by their interfaces, the base by odometry.
// law.c and law.h are written by write_law.py.  Parameter center_of_mass: its target, m, world axes.
#include <array>
#include <string>
#include <vector>

#include <controller_interface/controller_interface.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <pluginlib/class_list_macros.hpp>
#include <realtime_tools/realtime_buffer.hpp>

#include "law.h"

namespace articulated_example
{
using controller_interface::CallbackReturn;
using controller_interface::InterfaceConfiguration;
using controller_interface::return_type;

class WholeBodyController : public controller_interface::ControllerInterface
{
  const std::vector<std::string> joints_ LAW_JOINT_NAMES;
  realtime_tools::RealtimeBuffer<nav_msgs::msg::Odometry::SharedPtr> base_;
  rclcpp::Subscription<nav_msgs::msg::Odometry>::SharedPtr subscription_;
  std::vector<double> center_;

  InterfaceConfiguration of_joints(const std::vector<std::string> & kinds) const
  {
    InterfaceConfiguration found{controller_interface::interface_configuration_type::INDIVIDUAL, {}};
    for (const auto & kind : kinds) {
      for (const auto & joint : joints_) {
        found.names.push_back(joint + "/" + kind);
      }
    }
    return found;
  }

public:
  InterfaceConfiguration command_interface_configuration() const override { return of_joints({"effort"}); }
  InterfaceConfiguration state_interface_configuration() const override
  {
    return of_joints({"position", "velocity"});
  }

  CallbackReturn on_init() override
  {
    auto_declare<std::vector<double>>("center_of_mass", {});
    return CallbackReturn::SUCCESS;
  }

  CallbackReturn on_configure(const rclcpp_lifecycle::State &) override
  {
    center_ = get_node()->get_parameter("center_of_mass").as_double_array();
    if (center_.size() != 3) {
      RCLCPP_ERROR(get_node()->get_logger(), "center_of_mass is three numbers, m");
      return CallbackReturn::ERROR;
    }
    subscription_ = get_node()->create_subscription<nav_msgs::msg::Odometry>(
      "~/odometry", rclcpp::SensorDataQoS(),
      [this](nav_msgs::msg::Odometry::SharedPtr message) { base_.writeFromNonRT(message); });
    return CallbackReturn::SUCCESS;
  }

  return_type update(const rclcpp::Time &, const rclcpp::Duration &) override
  {
    const auto * base = base_.readFromRT();
    if (!base || !*base) {
      return return_type::OK;  // no state of the base yet
    }
    // twists of odometry are in the axes of the child frame, as v is
    const auto & pose = (*base)->pose.pose;
    const auto & twist = (*base)->twist.twist;
    std::array<double, 7 + LAW_JOINTS> q{
      pose.position.x, pose.position.y, pose.position.z,
      pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w};
    std::array<double, 6 + LAW_JOINTS> v{
      twist.linear.x, twist.linear.y, twist.linear.z, twist.angular.x, twist.angular.y, twist.angular.z};
    for (std::size_t i = 0; i < LAW_JOINTS; ++i) {
      q[7 + i] = state_interfaces_[i].get_value();
      v[6 + i] = state_interfaces_[LAW_JOINTS + i].get_value();
    }
    std::array<double, LAW_JOINTS> tau{};
    if (law_tick(q.data(), v.data(), center_.data(), tau.data()) > 1) {
      return return_type::ERROR;  // not finite, or nothing found
    }
    for (std::size_t i = 0; i < LAW_JOINTS; ++i) {
      command_interfaces_[i].set_value(tau[i]);
    }
    return return_type::OK;
  }
};
}  // namespace articulated_example

PLUGINLIB_EXPORT_CLASS(articulated_example::WholeBodyController, controller_interface::ControllerInterface)
